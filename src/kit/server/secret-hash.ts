import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fairTurns } from './fair-turns.ts'

/** argon2id as ASVS 5.0 (appendix C) demands: 19 MiB, two passes. One hash takes about 20 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const hashBytes = 32

/**
 * A hash takes a core and 19 MiB, so one core is left to other requests and further hashes wait. Addresses take turns, so an address that
 * logs in a thousand times at once delays only itself.
 */
const inTurn = fairTurns({
  name: 'passwords',
  slots: Math.max(1, availableParallelism() - 1),
  perAddress: 300,
  most: 400,
  patienceMs: 20_000,
})

/** Makes é typed as one character or as two the same secret. */
function messageOf(secret: string): string {
  return secret.normalize('NFC')
}

function derive(secret: string, salt: Uint8Array, { memory, passes, parallelism }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    argon2(
      'argon2id',
      { message: messageOf(secret), nonce: salt, tagLength: hashBytes, memory, passes, parallelism },
      (error, hash) => (error ? reject(error) : resolve(hash)),
    ),
  )
}

/** Hashes a password or another secret of a person by argon2id. Returns PHC form. @throws unavailable when too many hashes wait */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await inTurn(() => derive(secret, salt, cost))
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(salt)}$${text(hash)}`
}

/**
 * Checks a secret against its hash. Without a hash (null) it takes the same time and returns false, so that response times do not reveal
 * whether an account exists. `before` runs when this check has its turn, and may throw.
 * @throws unavailable when too many hashes wait
 */
export async function isSecret(
  secret: string,
  phc: string | null,
  { before }: { before?: () => Promise<void> } = {},
): Promise<boolean> {
  const [, , , parameters = '', salt = '', hash = ''] = (phc ?? nobodys).split('$')
  const [memory = 0, passes = 0, parallelism = 0] = parameters.split(',').map((each) => Number(each.slice(2)))
  const expected = Buffer.from(hash, 'base64')
  const found = await inTurn(async () => {
    await before?.()
    return derive(secret, Buffer.from(salt, 'base64'), { memory, passes, parallelism })
  })
  return timingSafeEqual(found, expected) && phc !== null
}

const nobodys = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`
