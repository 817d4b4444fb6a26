import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentSession, storeInSession, storedInSession, useSession, useStored } from './session.ts'
import { getMe, type Me } from '../contract.ts'
import { noteAddress } from './unverified.ts'

/** Storage key beside the session: when the account will be deleted; `unknown` until the account was loaded. */
const key = 'accountDeletion'
const unknown = 'unknown'

/** Stores what the lines below the header show. */
export function noteAccount({ email_verified, deletion_at }: Pick<Me, 'email_verified' | 'deletion_at'>): void {
  // The answer may come after a logout.
  if (currentSession() === 'guest') return
  noteAddress(email_verified)
  noteDeletion(deletion_at)
}

/** Loads the account for the lines below the header. */
export async function loadAccount(): Promise<void> {
  const { answer } = await ask(callByFetch, getMe, { as: 'background' })
  if (answer) noteAccount(answer.body)
}

export function noteDeletion(at: string | null): void {
  if (storedInSession(key) !== at) storeInSession({ [key]: at })
}

/** Call after a login: whether the account will be deleted is not known yet. */
export function noteArrival(): void {
  noteDeletion(unknown)
}

/** Whether the account should be loaded again: a deletion is noted, which may have changed, or none was loaded yet. */
export const isDeletionNoted = () => storedInSession(key) !== null

/** When the account will be deleted, an ISO instant; null: never, or not known. */
export function useDeletion(): string | null {
  const noted = useStored(key)
  return useSession() === 'guest' || noted === unknown ? null : noted
}
