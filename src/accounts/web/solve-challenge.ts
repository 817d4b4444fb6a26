import { solveChallenge, type Challenge, type Solution } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/web/pbkdf2'
import { deriveKey as sha } from 'altcha-lib/algorithms/web/sha'

const timeoutMs = 20_000

/** Solves an ALTCHA challenge; null: it takes too long, or the browser lacks a function. */
export async function solve(challenge: Challenge): Promise<Solution | null> {
  const { algorithm } = challenge.parameters
  const deriveKey = algorithm.startsWith('PBKDF2/') ? pbkdf2 : /^SHA-(256|384|512)$/.test(algorithm) ? sha : null
  if (!deriveKey) return null
  return solveChallenge({ challenge, deriveKey, timeout: timeoutMs })
}
