import { useEffect, type ReactNode } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { DeletionLine } from './DeletionLine.tsx'
import { tellChosenLanguage } from './tell-language.ts'
import { VerifyLine } from './VerifyLine.tsx'

/** What whoever is logged in should know of their account, below the header of every page. */
export default function AccountLines(): ReactNode {
  useSecondLook()
  useEffect(tellChosenLanguage, [])
  return (
    <>
      <DeletionLine />
      <VerifyLine />
    </>
  )
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
