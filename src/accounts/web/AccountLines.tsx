import { useEffect, type ReactNode } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { onOtherOwner } from '../../kit/browser/other-owner.ts'
import { DeletionLine } from './DeletionLine.tsx'
import { saveChosenLanguage } from './save-language.ts'
import { VerifyLine } from './VerifyLine.tsx'

/** What whoever is logged in should know of their account, below the header of every page. */
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

let isFollowing = false

/** What this document remembers of whoever was logged in before may be somebody else's: then it begins anew. */
function followOwner() {
  if (isFollowing) return
  isFollowing = true
  onOtherOwner(() => location.reload())
}

/**
 * What a page did not find may be there for this account alone, such as a topic that waits for approval. The server of the
 * page did not know who asks; the browser does, and asks once more.
 */
function useSecondLook() {
  const error = useRouteError()
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (isMissing) void revalidate()
  }, [isMissing, revalidate])
}
