import { useEffect, type ReactNode } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { once } from '../../kit/browser/once.ts'
import { onOtherOwner } from '../../kit/browser/other-owner.ts'
import { DeletionLine } from './DeletionLine.tsx'
import { saveChosenLanguage } from './save-language.ts'
import { VerifyLine } from './VerifyLine.tsx'

/** Lines about the account below the header of every page: a planned deletion, an unconfirmed address. */
export default function AccountLines(): ReactNode {
  useSecondLook()
  useEffect(saveChosenLanguage, [])
  useEffect(followOwner, [])
  return (
    <>
      <DeletionLine />
      <VerifyLine />
    </>
  )
}

/**
 * Reloads when another account logs in: this document may hold data of the one before. Once, because the listener stays when this
 * component is mounted again on the next page.
 */
const followOwner = once(() => onOtherOwner(() => location.reload()))

/**
 * Loads a page again that the server did not find: the server did not know the account, and only this account may see the thing,
 * such as a topic that waits for approval.
 */
function useSecondLook() {
  const error = useRouteError()
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (isMissing) void revalidate()
  }, [isMissing, revalidate])
}
