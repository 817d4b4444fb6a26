import type { ReactNode } from 'react'
import { DeletionLine } from './DeletionLine.tsx'
import { VerifyLine } from './VerifyLine.tsx'

/** What whoever is logged in should know of their account, below the header of every page. */
export default function AccountLines(): ReactNode {
  return (
    <>
      <DeletionLine />
      <VerifyLine />
    </>
  )
}
