import type { ReactNode } from 'react'
import { useSession } from './session.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/** Notice above a signup form for people who are already logged in with this kind of account. */
export function AlreadyIn({ kind, children }: { kind: 'user' | 'business'; children: ReactNode }) {
  const session = useSession()
  if (session === 'guest' || (session === 'business') !== (kind === 'business')) return null
  return <Notice kind="success">{children}</Notice>
}
