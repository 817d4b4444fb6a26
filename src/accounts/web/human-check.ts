import type { Challenge } from 'altcha-lib'
import { ask, readAs } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { anyObject } from '../../kit/browser/reading.ts'
import { getChallenge } from '../contract.ts'

/** The server accepts a solution for ten minutes. */
const freshMs = 8 * 60_000

/**
 * Prepared at the first focus of the form and used by the route's action, which is no component and gets nothing from one: so the
 * module stores it. A document shows one signup form at a time.
 */
let prepared: { at: number; solution: Promise<string | null> } | null = null

/** Fetches and solves the challenge while the form is being filled in. */
export function prepareHumanCheck(): void {
  if (prepared && performance.now() - prepared.at < freshMs) return
  prepared = { at: performance.now(), solution: workOut().catch(() => null) }
}

/** The solution for one signup; null if it cannot be fetched or computed within `patienceMs`: the signup is then sent without. */
export async function humanCheck(patienceMs: number): Promise<string | null> {
  prepareHumanCheck()
  const { solution } = prepared!
  prepared = null
  return Promise.race([solution, new Promise<null>((resolve) => setTimeout(() => resolve(null), patienceMs))])
}

/** Needs the browser's cryptography, which exists only in secure contexts and does not block the page. */
async function workOut(): Promise<string | null> {
  if (typeof globalThis.crypto?.subtle === 'undefined') return null
  const [{ answer }, { solve }] = await Promise.all([
    // The challenge is passed on to ALTCHA unread.
    ask(callByFetch, readAs(getChallenge, anyObject), {}),
    import('./solve-challenge.ts'),
  ])
  if (!answer) return null
  const challenge = answer.body as Challenge
  const solution = await solve(challenge)
  return solution && btoa(JSON.stringify({ challenge, solution }))
}
