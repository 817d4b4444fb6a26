import { currentSession, storeInSession, storedInSession, useSession, useStored } from './session.ts'
import type { Me } from '../contract.ts'
import { noteAddress } from './unverified.ts'

/** Beside the session, for every tab: when the account will be deleted; `unknown` until the account has answered. */
const key = 'accountDeletion'
const unknown = 'unknown'

/** What the account says of itself, for the lines below the header. */
export function noteAccount({ email_verified, deletion_at }: Pick<Me, 'email_verified' | 'deletion_at'>): void {
  // an answer may come when its owner has already gone
  if (currentSession() === 'guest') return
  noteAddress(email_verified)
  noteDeletion(deletion_at)
}

export function noteDeletion(at: string | null): void {
  if (storedInSession(key) !== at) storeInSession({ [key]: at })
}

/** Somebody has just logged in: whether the account is about to go has yet to be asked. */
export function noteArrival(): void {
  noteDeletion(unknown)
}

/** Whether it is worth asking the account: something is noted of it that may have changed, or was never answered. */
export const isDeletionNoted = () => storedInSession(key) !== null

/** When the account of who is logged in will be deleted, an ISO instant; null if unknown. */
export function useDeletion(): string | null {
  const noted = useStored(key)
  return useSession() === 'guest' || noted === unknown ? null : noted
}
