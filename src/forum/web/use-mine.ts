import { useSession } from '../../accounts/web/session.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { getMine } from '../contract.ts'

/** The member's own state in the forum; null for guests and while loading. */
export function useMine() {
  const isLoggedIn = useSession() !== 'guest'
  return useAnswer(getMine, isLoggedIn ? { as: 'background' } : null)
}
