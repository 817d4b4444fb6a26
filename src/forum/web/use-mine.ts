import { useSession } from '../../accounts/web/session.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { getMine } from '../contract.ts'

/** The place in the forum of whom this browser is logged in as; nothing for guests and while it is on its way. */
export function useMine() {
  const isLoggedIn = useSession() !== 'guest'
  return useAnswer(getMine, isLoggedIn ? { as: 'background' } : null)
}
