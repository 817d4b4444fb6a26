import { createHash } from 'node:crypto'
import type { Challenge } from 'altcha-lib'
import { z } from 'zod'
import { addressKey, refuseIfWaiting, type AccountRoom } from './room.ts'
import * as store from './store.ts'

/**
 * About 256 derivations of 2,000 rounds: well under a second on a phone, during the two seconds that a signup waits anyway, but
 * costly for thousands of signups.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 2000, keyPrefix: '00' }
const goodForMinutes = 10

/**
 * A submitted solution. Only our own parameters are accepted, or the sender could choose how much work the check costs us. The
 * signature covers all `parameters`, so unknown ones are not dropped.
 */
const payloadShape = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(work.algorithm),
      cost: z.literal(work.cost),
      keyPrefix: z.literal(work.keyPrefix),
      keyLength: z.literal(32),
      nonce: z.hex().length(32),
      salt: z.hex().length(32),
      expiresAt: z.int().positive(),
    }),
    signature: z.hex().length(64),
  }),
  solution: z.object({ counter: z.int().min(0).max(0xffff_ffff), derivedKey: z.hex().length(64) }),
})
type Payload = z.infer<typeof payloadShape>

async function library() {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ])
  return { createChallenge, verifySolution, deriveKey }
}

/** @throws `too_many_requests` beyond 2,000 per hour from one network address */
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

/** Whether this solves one of our challenges, for the first time. */
export async function isSolved(room: AccountRoom, altcha: string): Promise<boolean> {
  const payload = readPayload(altcha)
  if (!payload) return false
  if (!(await isOurs(room, payload))) return false
  const { parameters, signature } = payload.challenge
  const used = createHash('sha256').update(signature).digest()
  return store.useChallenge(room.db, used, new Date(parameters.expiresAt * 1000))
}

async function isOurs(room: AccountRoom, { challenge, solution }: Payload): Promise<boolean> {
  const { verifySolution, deriveKey } = await library()
  for (const hmacSignatureSecret of secretsOf(room)) {
    try {
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
      if (verified) return true
    } catch {
      // Malformed: no solution.
    }
  }
  return false
}

function readPayload(altcha: string): Payload | null {
  try {
    return payloadShape.safeParse(JSON.parse(Buffer.from(altcha, 'base64').toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

function secretsOf({ keyring }: AccountRoom): string[] {
  return keyring.keysFor('challenges').map((key) => key.toString('hex'))
}
