import { logIn, type Pair } from './session.ts'

/** Stores another session of the same account, e.g. after a new password. Deletes data of the last session alone (`mySession…`). */
export function logInAgain(pair: Pair, kind: 'user' | 'business'): boolean {
  try {
    for (const key of Object.keys(localStorage)) if (/^mySession[A-Z]/.test(key)) localStorage.removeItem(key)
  } catch {
    // Storage is blocked: nothing was stored.
  }
  return logIn(pair, kind, false)
}
