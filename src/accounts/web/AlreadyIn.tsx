import type { ReactNode } from 'react'
import { useSession } from './session.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/** Above the form of a signup: to whoever is logged in as such already, that it is so and where it goes on. */
export function AlreadyIn({ kind, children }: { kind: 'user' | 'business'; children: ReactNode }) {
  const session = useSession()
  if (session === 'guest' || (session === 'business') !== (kind === 'business')) return null
  return <Notice kind="success">{children}</Notice>
}
