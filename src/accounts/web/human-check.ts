import type { Challenge } from 'altcha-lib'
import { ask, readAs } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { anyObject } from '../../kit/browser/reading.ts'
import { getChallenge } from '../contract.ts'

/** A solution is good for ten minutes; an older one is made anew. */
const freshMs = 8 * 60_000

let prepared: { at: number; solution: Promise<string | null> } | null = null

/** Fetches the sum and works it out while the form is still being filled in. */
export function prepareHumanCheck(): void {
  if (prepared && performance.now() - prepared.at < freshMs) return
  prepared = { at: performance.now(), solution: workOut().catch(() => null) }
}

/**
 * The solution to send with a signup, each once; null where it cannot be fetched or computed, or not within `patienceMs`:
 * the signup is then sent without.
 */
export async function humanCheck(patienceMs: number): Promise<string | null> {
  prepareHumanCheck()
  const { solution } = prepared!
  prepared = null
  return Promise.race([solution, new Promise<null>((resolve) => setTimeout(() => resolve(null), patienceMs))])
}

/** The browser's own cryptography does the work beside the page; it exists only in secure contexts. */
async function workOut(): Promise<string | null> {
  if (typeof globalThis.crypto?.subtle === 'undefined') return null
  const [{ answer }, { solve }] = await Promise.all([
    // what the challenge holds is ALTCHA's own affair
    ask(callByFetch, readAs(getChallenge, anyObject), {}),
    import('./solve-challenge.ts'),
  ])
  if (!answer) return null
  const challenge = answer.body as Challenge
  const solution = await solve(challenge)
  return solution && btoa(JSON.stringify({ challenge, solution }))
}
