import { bearer } from '../../kit/browser/credentials.ts'
import { clearPersonalCaches } from '../../kit/browser/offline-caches.ts'
import { deleteAllDrafts } from '../../kit/browser/form-drafts.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { countUnsent, forgetOwner, renameOwner, unstored } from '../../kit/browser/outbox-items.ts'

/** Who uses this browser, as far as the menus care. The server decides every right by itself. */
export type Session = 'guest' | 'user' | 'business'

/**
 * The storage keys of the specification, and what rooms keep here of an account under names that begin with "my" (`myCodes`),
 * for when there is no network: all of it goes with the session. See also another-session.ts.
 */
export type SessionKey = 'authToken' | 'refreshToken' | 'userType' | 'businessId' | 'accountDeletion' | `my${string}`

const listeners = new Set<() => void>()

/** Logged in is who has an `authToken`, any text, never decoded; `userType` tells the two menus apart. */
export function currentSession(): Session {
  if (storedInSession('authToken') === null) return 'guest'
  return storedInSession('userType') === 'business' ? 'business' : 'user'
}

/** A stored value as it is; null when absent or empty, or when the browser keeps its storage shut. */
export function storedInSession(key: SessionKey): string | null {
  try {
    return localStorage.getItem(key) || null
  } catch {
    return null
  }
}

/**
 * Who is here, for offline copies and for what is sent later: `guest`, or `user-` and the id of the account, so that its next login sends what
 * it has left. Until the server has said it (sessions of version 1.0), a random name. Where storage cannot take it, it holds for as long as
 * this page.
 */
export function ownerHere(): string {
  if (currentSession() === 'guest') return 'guest'
  const known = knownOwner()
  if (known) return known
  const owner = `user-${newKey()}`
  storeOwner(owner)
  return owner
}

const knownOwner = () => unstored.get('myOwner') ?? storedInSession('myOwner')

function storeOwner(owner: string) {
  try {
    localStorage.setItem('myOwner', owner)
    unstored.delete('myOwner')
  } catch {
    unstored.set('myOwner', owner)
  }
}

/** What this login has done and read under another name here is the account's. */
export function knowAccount(accountId: string | null | undefined): void {
  const before = knownOwner()
  const owner = `user-${accountId}`
  if (!accountId || before === owner || currentSession() === 'guest') return
  storeOwner(owner)
  if (before) renameOwner(before, owner)
}

/**
 * Stores what a login answered; null removes. `isOther`: for another account than before, so that what rooms have kept goes.
 * False when the browser keeps its storage shut.
 */
export function keepInSession(values: Partial<Record<SessionKey, string | null>>, isOther = false): boolean {
  if (isOther) unstored.delete('myOwner')
  try {
    if (isOther) for (const key of Object.keys(localStorage)) if (/^my[A-Z]/.test(key)) localStorage.removeItem(key)
    for (const [key, value] of Object.entries(values))
      if (value === null) localStorage.removeItem(key)
      else if (value !== undefined) localStorage.setItem(key, value)
    return true
  } catch {
    return false
  } finally {
    for (const tell of listeners) tell()
  }
}

/** What a login, a refresh and a changed password answer, as it was read. Only the token is never missing. */
export interface Pair {
  authToken: string
  /** Empty: none. */
  refreshToken: string
  userType: string | null
  businessId?: string | undefined
  /** Missing in answers of version 1.0. */
  accountId?: string | undefined
}

/** Keeps a whole new session; `isOther`: perhaps of another account. False when the browser keeps its storage shut. */
export function logIn(pair: Pair, kind: 'user' | 'business', isOther = true): boolean {
  const { authToken, refreshToken, userType, businessId, accountId } = pair
  const rest = { refreshToken: refreshToken || null, userType: userType || kind, businessId: businessId || null }
  if (!isOther) knowAccount(accountId)
  return keepInSession({ authToken, ...rest, ...(isOther && accountId && { myOwner: `user-${accountId}` }) }, isOther)
}

/** Nothing of a session stays in this browser. */
export const forgetSession = () =>
  keepInSession({ authToken: null, refreshToken: null, userType: null, businessId: null, accountDeletion: null }, true)

let leaving = false
/** True once this document is on its way out after a logout; a guard then sends nobody anywhere else. */
export const isLeaving = () => leaving

const patienceMs = 1500

/** Logs out; who has changes here that were not sent comes to a page that sends them first, or names them. */
export async function logOut(): Promise<void> {
  if (Object.keys(countUnsent(knownOwner() ?? 'guest')).length === 0) return logOutNow()
  try {
    sessionStorage.setItem(leavingKey, 'yes')
  } catch {
    // then the page asks once more
  }
  location.assign('/logout')
}

const leavingKey = 'leaving'

/** Whether it was a wish that led to the page that logs out, and no link; it counts once. */
export function takeWishToLeave(): boolean {
  try {
    const isWished = sessionStorage.getItem(leavingKey) !== null
    sessionStorage.removeItem(leavingKey)
    return isWished
  } catch {
    return false
  }
}

/**
 * Forgets the session, tells the server (which ends it there) and returns to `/` with a new document, so that nothing
 * private stays in memory. A server that does not answer keeps nobody logged in here.
 */
export async function logOutNow(): Promise<void> {
  leaving = true
  await leaveSession()
  location.assign('/')
}

/** Nothing stays in this browser of who used it: neither the session, nor what was typed, nor what was read. */
export function forgetPerson(): Promise<void> {
  // before the session ends: what a session leaves that ends by itself is sent later
  forgetOwner(knownOwner() ?? 'guest')
  forgetSession()
  deleteAllDrafts()
  return clearPersonalCaches(true)
}

/** The same without going anywhere: for a device that goes on without anybody logged in. */
export async function leaveSession(): Promise<void> {
  const [token, refreshToken] = [storedInSession('authToken'), storedInSession('refreshToken')]
  const isForgotten = forgetPerson()
  await fetch('/api/auth/logout', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify(refreshToken === null ? {} : { refreshToken }),
    keepalive: true,
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => {})
  await isForgotten
}

let whenEnded: (session: Session) => void = () => {}

/** What happens after an action of the person was refused because the session is over; the app says it once. */
export function onSessionEnd(tell: (session: Session) => void): void {
  whenEnded = tell
}

/** The session is over: nothing of it stays in this browser, and the person is told. */
export function endSession(): void {
  const session = currentSession()
  leaving = true
  forgetSession()
  void clearPersonalCaches()
  whenEnded(session)
}

/** Tells of each login and logout in this tab and in others. Returns how to stop. */
export function followSession(tell: () => void): () => void {
  listeners.add(tell)
  // a page out of the back-forward cache has missed what happened meanwhile; one that was left by a logout begins anew
  const comeBack = (event: PageTransitionEvent) => {
    if (event.persisted && leaving) location.reload()
    else tell()
  }
  addEventListener('storage', tell)
  addEventListener('focus', tell)
  addEventListener('pageshow', comeBack)
  return () => {
    listeners.delete(tell)
    removeEventListener('storage', tell)
    removeEventListener('focus', tell)
    removeEventListener('pageshow', comeBack)
  }
}

/** For calls of public pages that nobody needs to log in for: only a business says who asks, so that its own views do not count. */
export function asOwner(): { as?: 'background' } {
  return currentSession() === 'business' ? { as: 'background' } : {}
}
