import { bearer } from '../../kit/browser/credentials.ts'
import { clearPersonalCaches } from '../../kit/browser/offline-caches.ts'
import { deleteAllDrafts } from '../../kit/browser/form-drafts.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { countUnsent, forgetOwner, renameOwner, unstored } from '../../kit/browser/outbox-items.ts'

/** Who uses this browser, for menus. Rights are decided by the server alone. */
export type Session = 'guest' | 'user' | 'business'

/**
 * Storage keys of the session: those of the specification, and offline data of rooms under names that begin with "my" (`myCodes`).
 * All are deleted with the session. See also another-session.ts.
 */
export type SessionKey = 'authToken' | 'refreshToken' | 'userType' | 'businessId' | 'accountDeletion' | `my${string}`

const listeners = new Set<() => void>()

/** Any `authToken` counts as logged in; it is never decoded. `userType` decides between the two menus. */
export function currentSession(): Session {
  if (storedInSession('authToken') === null) return 'guest'
  return storedInSession('userType') === 'business' ? 'business' : 'user'
}

/** A stored value; null: absent, empty, or storage is blocked. */
export function storedInSession(key: SessionKey): string | null {
  try {
    return localStorage.getItem(key) || null
  } catch {
    return null
  }
}

/**
 * Owner of offline copies and outbox intents: `guest`, or `user-` and the id of the account, whose next login sends what is left. Sessions of
 * version 1.0 have a random name until the server has answered with the id. When storage is full it lasts as long as the document.
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

/** Moves intents and offline copies of this login to the account, now that its id is known. */
export function knowAccount(accountId: string | null | undefined): void {
  const before = knownOwner()
  const owner = `user-${accountId}`
  if (!accountId || before === owner || currentSession() === 'guest') return
  storeOwner(owner)
  if (before) renameOwner(before, owner)
}

/**
 * Stores values of the session; null removes one. `isOther`: of another account than before, so data of rooms is deleted.
 * @returns false: storage is blocked
 */
export function storeInSession(values: Partial<Record<SessionKey, string | null>>, isOther = false): boolean {
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
    for (const listener of listeners) listener()
  }
}

/** Answer of a login, a refresh or a changed password. Only the token is always there. */
export interface Pair {
  authToken: string
  /** Empty: none. */
  refreshToken: string
  userType: string | null
  businessId?: string | undefined
  /** Missing in answers of version 1.0. */
  accountId?: string | undefined
}

/** Stores a new session. `isOther`: perhaps of another account. @returns false: storage is blocked */
export function logIn(pair: Pair, kind: 'user' | 'business', isOther = true): boolean {
  const { authToken, refreshToken, userType, businessId, accountId } = pair
  const rest = { refreshToken: refreshToken || null, userType: userType || kind, businessId: businessId || null }
  if (!isOther) knowAccount(accountId)
  return storeInSession({ authToken, ...rest, ...(isOther && accountId && { myOwner: `user-${accountId}` }) }, isOther)
}

/** Deletes the session from storage. */
export const forgetSession = () =>
  storeInSession({ authToken: null, refreshToken: null, userType: null, businessId: null, accountDeletion: null }, true)

/**
 * State of this document, which a logout replaces. Not stored: the next document must begin with false. A browser has one session, so
 * this module owns it.
 */
let leaving = false
/** True after a logout until the next document loads: guards must not redirect elsewhere. */
export const isLeaving = () => leaving

const patienceMs = 1500

/** Logs out. With unsent changes, goes to a page that sends or lists them first. */
export async function logOut(): Promise<void> {
  if (Object.keys(countUnsent(knownOwner() ?? 'guest')).length === 0) return logOutNow()
  try {
    sessionStorage.setItem(leavingKey, 'yes')
  } catch {
    // Storage is blocked: the page asks once more.
  }
  location.assign('/logout')
}

const leavingKey = 'leaving'

/** Whether a tap on "log out" led to the logout page, and not a link from elsewhere. True once. */
export function takeLogoutIntent(): boolean {
  try {
    const isIntended = sessionStorage.getItem(leavingKey) !== null
    sessionStorage.removeItem(leavingKey)
    return isIntended
  } catch {
    return false
  }
}

/**
 * Ends the session here and on the server, and loads `/` as a new document, so that nothing private stays in memory. Also if the
 * server does not answer.
 */
export async function logOutNow(): Promise<void> {
  leaving = true
  await leaveSession()
  location.assign('/')
}

/** Deletes everything of the person from this browser: session, outbox, drafts and cached pages. */
export function forgetPerson(): Promise<void> {
  // before the session ends: what a session leaves that ends by itself is sent later
  forgetOwner(knownOwner() ?? 'guest')
  forgetSession()
  deleteAllDrafts()
  return clearPersonalCaches(true)
}

/** Ends the session here and on the server without loading a page: for a device that is used on without a login. */
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

const endListeners = new Set<(session: Session) => void>()

/** Calls `listener` when an action is refused because the session is over. */
export const onSessionEnd = (listener: (session: Session) => void): void => void endListeners.add(listener)

/** Deletes a session that the server has ended, and shows that. */
export function endSession(): void {
  const session = currentSession()
  leaving = true
  forgetSession()
  void clearPersonalCaches()
  for (const listener of endListeners) listener(session)
}

/** Calls `listener` after each login and logout, in this tab and others. @returns stops following */
export function followSession(listener: () => void): () => void {
  listeners.add(listener)
  // A page from the back-forward cache missed events; one that was left by a logout must load again.
  const comeBack = (event: PageTransitionEvent) => {
    if (event.persisted && leaving) location.reload()
    else listener()
  }
  addEventListener('storage', listener)
  addEventListener('focus', listener)
  addEventListener('pageshow', comeBack)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
    removeEventListener('focus', listener)
    removeEventListener('pageshow', comeBack)
  }
}

/** Option of public calls: only a business sends its token, so that views of its own pages are not counted. */
export function asOwner(): { as?: 'background' } {
  return currentSession() === 'business' ? { as: 'background' } : {}
}
