import type { Renewal } from '../../kit/browser/credentials.ts'
import { singleFlight } from '../../kit/browser/once.ts'
import { isObject, needed } from '../../kit/browser/reading.ts'
import { storeInSession, knowAccount, storedInSession } from './session-store.ts'

const timeoutMs = 10_000
const lockName = 'rheinklang-refresh'

/**
 * Refreshes the session after the server has refused `refusedToken`: once for all calls of this tab, because a refresh token works
 * once, and across tabs, where the tab that waited finds the new token in storage.
 */
export const refreshSession = singleFlight((refusedToken: string) => alone(() => renew(refusedToken)))

async function renew(refusedToken: string): Promise<Renewal> {
  const token = storedInSession('authToken')
  // Another tab has logged out.
  if (token === null) return 'none'
  if (token !== refusedToken) return 'renewed'
  const refreshToken = storedInSession('refreshToken')
  if (refreshToken === null) return 'none'
  let response: Response
  try {
    response = await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    return 'unreachable'
  }
  const answer: unknown = response.ok ? await response.json().catch(() => null) : null
  const pair = isObject(answer) ? answer : {}
  const [authToken, refreshed] = [needed(pair['authToken']), needed(pair['refreshToken'])]
  // In the meantime the person may have logged out, or in with another account.
  if (storedInSession('refreshToken') !== refreshToken)
    return storedInSession('authToken') === null ? 'none' : 'renewed'
  if (authToken) {
    storeInSession({ authToken, ...(refreshed && { refreshToken: refreshed }) })
    knowAccount(needed(pair['accountId']))
    return 'renewed'
  }
  return response.status === 400 || response.status === 401 ? 'ended' : 'unreachable'
}

/** One tab at a time: by Web Locks, or without a secure context by a lock in storage. */
async function alone(work: () => Promise<Renewal>): Promise<Renewal> {
  const { locks } = navigator as Partial<Navigator>
  if (locks)
    return new Promise((resolve, reject) => {
      const turn = async () => {
        resolve(await work())
        // The next tab could get the lock before it sees what was just stored.
        await settled()
      }
      locks.request(lockName, turn).catch(reject)
    })
  const mine = await lockInStorage()
  try {
    return await work()
  } finally {
    try {
      if (localStorage.getItem(lockName) === mine) localStorage.removeItem(lockName)
    } catch {
      // Storage is blocked: there was no lock either.
    }
  }
}

const settleMs = 40
const settled = () => new Promise((resolve) => setTimeout(resolve, settleMs))

/**
 * Waits for the lock and takes it with an expiry, so that a closed tab blocks nobody. Two tabs can still get it at once; the server
 * answers both, because a used refresh token is accepted for ten more seconds.
 */
async function lockInStorage(): Promise<string> {
  const mine = `${Math.random().toString(36).slice(2)} ${Date.now() + timeoutMs}`
  for (;;) {
    try {
      const other = localStorage.getItem(lockName)
      if (other === mine) return mine
      if (other === null || Number(other.split(' ')[1]) < Date.now()) localStorage.setItem(lockName, mine)
    } catch {
      return mine
    }
    await settled()
  }
}
