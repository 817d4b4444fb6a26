import type { Renewal } from '../../kit/browser/credentials.ts'
import { isObject, needed } from '../../kit/browser/reading.ts'
import { keepInSession, knowAccount, storedInSession } from './session-store.ts'

const timeoutMs = 10_000
const lockName = 'rheinklang-refresh'

let running: Promise<Renewal> | null = null

/**
 * A new pair for the stored refresh token, after the server has refused `refusedToken`. Calls that are refused together
 * share one refresh, in this tab and across tabs: who waited finds the new token in storage.
 */
export function refreshSession(refusedToken: string): Promise<Renewal> {
  running ??= alone(() => renew(refusedToken)).finally(() => {
    running = null
  })
  return running
}

async function renew(refusedToken: string): Promise<Renewal> {
  const token = storedInSession('authToken')
  // logged out meanwhile, elsewhere
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
  // the person may have logged out, or in as somebody else, while the answer was on its way
  if (storedInSession('refreshToken') !== refreshToken)
    return storedInSession('authToken') === null ? 'none' : 'renewed'
  if (authToken) {
    keepInSession({ authToken, ...(refreshed && { refreshToken: refreshed }) })
    knowAccount(needed(pair['accountId']))
    return 'renewed'
  }
  return response.status === 400 || response.status === 401 ? 'ended' : 'unreachable'
}

/** One tab at a time: by Web Locks, or without a secure context by a note in storage. */
async function alone(work: () => Promise<Renewal>): Promise<Renewal> {
  const { locks } = navigator as Partial<Navigator>
  if (locks)
    return new Promise((resolve, reject) => {
      const told = async () => {
        resolve(await work())
        // the turn reaches another tab sooner than what was just stored
        await settled()
      }
      locks.request(lockName, told).catch(reject)
    })
  const mine = await noteInStorage()
  try {
    return await work()
  } finally {
    try {
      if (localStorage.getItem(lockName) === mine) localStorage.removeItem(lockName)
    } catch {
      // storage is shut: there was no note either
    }
  }
}

const settleMs = 40
const settled = () => new Promise((resolve) => setTimeout(resolve, settleMs))

/**
 * Waits for its turn, then leaves a note with an end, so that a closed tab blocks nobody. Two tabs can still meet; the
 * server then answers both, because a refresh token stays good for ten seconds.
 */
async function noteInStorage(): Promise<string> {
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
