import { logIn, type Pair } from './session.ts'

/** Keeps another session of the same account, as after a new password. What rooms keep under names in "mySession" was of the one before. */
export function logInAgain(pair: Pair, kind: 'user' | 'business'): boolean {
  try {
    for (const key of Object.keys(localStorage)) if (/^mySession[A-Z]/.test(key)) localStorage.removeItem(key)
  } catch {
    // storage is shut: nothing was kept
  }
  return logIn(pair, kind, false)
}
