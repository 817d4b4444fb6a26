import { createHash } from 'node:crypto'
import type { Challenge, Payload } from 'altcha-lib'
import { addressKey, refuseIfWaiting, type AccountRoom } from './room.ts'
import * as store from './store.ts'

/**
 * About 256 derivations of 2,000 rounds: well under a second on a phone, while the signup waits its two seconds, and a
 * price for those who sign up by the thousand.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 2000, keyPrefix: '00' }
const goodForMinutes = 10

async function library() {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ])
  return { createChallenge, verifySolution, deriveKey }
}

/** Throws `too_many_requests` beyond 2,000 an hour from one address. */
export async function newChallenge(room: AccountRoom, address: string): Promise<Challenge> {
  refuseIfWaiting(await room.limits.challenges.take(addressKey(room.keyring, address)))
  const { createChallenge, deriveKey } = await library()
  return createChallenge({
    ...work,
    deriveKey,
    expiresAt: new Date(Date.now() + goodForMinutes * 60_000),
    hmacSignatureSecret: secretsOf(room)[0]!,
  })
}

/** Whether the text is the solution of a challenge of ours that nobody has handed in before. */
export async function isSolved(room: AccountRoom, altcha: string): Promise<boolean> {
  const payload = readPayload(altcha)
  if (!payload) return false
  const { challenge } = payload
  const { algorithm, cost, keyPrefix, expiresAt, keyLength } = challenge.parameters
  // only what we hand out; anything else would let the sender choose how much work it is, for us
  if (algorithm !== work.algorithm || cost !== work.cost || keyPrefix !== work.keyPrefix || keyLength !== 32)
    return false
  if (!(await isOurs(room, payload))) return false
  const used = createHash('sha256').update(String(challenge.signature)).digest()
  return store.useChallenge(room.db, used, new Date((expiresAt ?? 0) * 1000))
}

async function isOurs(room: AccountRoom, { challenge, solution }: Payload): Promise<boolean> {
  const { verifySolution, deriveKey } = await library()
  for (const hmacSignatureSecret of secretsOf(room)) {
    try {
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
      if (verified) return true
    } catch {
      // whatever is wrong with it, it is no solution
    }
  }
  return false
}

function readPayload(altcha: string): Payload | null {
  try {
    const payload = JSON.parse(Buffer.from(altcha, 'base64').toString('utf8')) as Payload
    return typeof payload?.challenge?.parameters === 'object' && typeof payload.solution === 'object' ? payload : null
  } catch {
    return null
  }
}

function secretsOf({ keyring }: AccountRoom): string[] {
  return keyring.keysFor('challenges').map((key) => key.toString('hex'))
}
