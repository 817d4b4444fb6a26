import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readIfThere, writeWhole } from './data-folder.ts'
import type { Database } from './database.ts'

/**
 * Keys of this installation, one per purpose, all derived from one secret that every instance has. While the secret is being changed,
 * keys of the old one still verify and open.
 */
export interface Keyring {
  /** The key to sign with: 32 bytes, the same on every instance and after every start. */
  keyFor(purpose: string): Buffer
  /** Keys to verify with: the current one, then those of old secrets. */
  keysFor(purpose: string): Buffer[]
  /** HMAC-SHA256 with the current key. */
  mac(purpose: string, text: string): Buffer
  /** HMAC-SHA256 with each of `keysFor`. */
  macs(purpose: string, text: string): Buffer[]
  /** Encrypts by AES-256-GCM; opening needs the same `context` (e.g. the row's id). */
  seal(purpose: string, context: string, secret: string): Buffer
  /** @throws SealedOtherwise for an unknown key or another context */
  open(purpose: string, context: string, sealed: Buffer): string
  /** Seals again with the current key; null where that key has sealed it already. @throws SealedOtherwise */
  sealAnew(purpose: string, context: string, sealed: Buffer): Buffer | null
}

/** The secret is missing, or is not the one of this database. The message is a sentence for the operator. */
export class WrongKey extends Error {}

/**
 * A value was sealed with a secret that this instance does not have. That happens while the secret is being changed, when another
 * instance has the new one already; so the answer is 503.
 */
export class SealedOtherwise extends Error {
  constructor(cause: unknown) {
    const change = 'While SECRET_KEY is being changed, restart every instance with the new one.'
    super(`What was to be opened is sealed with another secret than this instance has. ${change}`, { cause })
  }
}

export interface SecretPlace {
  /** `SECRET_KEY`. */
  secretKey: string | null
  /** `SECRET_KEY_OLD`: the secret before the current one. */
  oldSecretKey: string | null
  dataDir: string
  embedded: boolean
}

/**
 * Opens the keyring with the installation's secret: `SECRET_KEY`; else, with the embedded database, the file `secrets/key`; else a row of
 * the database, which is then part of its dumps. A changed secret is accepted when the old one is known, from `SECRET_KEY_OLD`, the file
 * `secrets/key.old` or that row. `sealAnew` then seals all values with the new secret; it runs at every start with an old secret, as
 * another instance may still have used that.
 * @throws WrongKey
 */
export async function openKeyring(
  db: Database,
  where: SecretPlace,
  sealAnew: (keyring: Keyring) => Promise<void>,
): Promise<Keyring> {
  const usedWith = await findValue(db, 'fingerprint')
  const cutOff = await cutOffFile(where, usedWith)
  if (cutOff) throw new WrongKey(cutOff)
  const given = bytesOf(where.secretKey)
  const secret = given ?? (await ownSecret(db, where))
  const rowBefore = given && !where.embedded ? await findValue(db, 'key') : null
  const fileOld = where.embedded ? await readSecret(join(where.dataDir, 'secrets', 'key.old')) : null
  const fileBefore = fileOld && !isCutOff(fileOld, usedWith) ? fileOld : null
  const before = [bytesOf(where.oldSecretKey), fileBefore].filter((each) => each !== null)
  const keyring = keyringOf([secret, ...before, ...(rowBefore ? [rowBefore] : [])])
  const [fingerprint, ...fingerprintsBefore] = keyring.macs('fingerprint', 'rheinklang')
  const known = await insertValueOnce(db, 'fingerprint', fingerprint!)
  const isKnown = (each: Buffer) => isEqual(known, each)
  if (!isKnown(fingerprint!) && !fingerprintsBefore.some(isKnown)) throw new WrongKey(wrongKey(where))
  if (fingerprintsBefore.length > 0) await sealAnew(keyring)
  // save it last: after a crash the old key is still valid
  if (!isKnown(fingerprint!)) await updateValue(db, 'fingerprint', fingerprint!)
  if (!rowBefore) return keyring
  // dumps contain the old secret, so it must not verify anything any more
  await deleteValue(db, 'key')
  return keyringOf([secret, ...before])
}

/** Why a start would refuse the secret; null: it fits, or the database is new. Writes nothing. */
export async function faultOfSecret(db: Database, where: SecretPlace): Promise<string | null> {
  const known = await findValue(db, 'fingerprint')
  const cutOff = await cutOffFile(where, known)
  if (cutOff || !known) return cutOff
  const given = bytesOf(where.secretKey)
  const inFolder = (name: string) => readSecret(join(where.dataDir, 'secrets', name))
  const elsewhere = where.embedded
    ? [given ? null : await inFolder('key'), await inFolder('key.old')]
    : [await findValue(db, 'key')]
  const secrets = [given, bytesOf(where.oldSecretKey), ...elsewhere].filter((each) => each !== null)
  const fingerprints = keyringOf(secrets).macs('fingerprint', 'rheinklang')
  return fingerprints.some((each) => isEqual(known, each)) ? null : wrongKey(where)
}

const bytesOf = (secret: string | null) => (secret ? Buffer.from(secret, 'utf8') : null)

/** Compares in a time that does not depend on the bytes. */
export const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** Minimum of a secret in a file, as of a base64 text with 32 letters. Generated secrets have 32 bytes. */
const leastBytes = 24

const fits = (secret: Buffer, known: Buffer | null) =>
  known?.equals(keyringOf([secret]).mac('fingerprint', 'rheinklang')) ?? false

/** A short rest of a secret could be guessed, so it is refused, unless the database was used with it. */
const isCutOff = (secret: Buffer, known: Buffer | null) => secret.length < leastBytes && !fits(secret, known)

/** The error for a secret's file that is empty or truncated. An old secret is ignored instead where the current one fits. */
async function cutOffFile(where: SecretPlace, known: Buffer | null): Promise<string | null> {
  if (!where.embedded) return null
  const inFolder = (name: string) => readSecret(join(where.dataDir, 'secrets', name))
  const present = bytesOf(where.secretKey) ?? (await inFolder('key'))
  for (const name of where.secretKey ? ['key.old'] : ['key', 'key.old']) {
    const file = join(where.dataDir, 'secrets', name)
    const secret = await inFolder(name)
    if (!secret || !isCutOff(secret, known) || (present && fits(present, known))) continue
    return `${file} is empty or cut off. Put back the whole file, or delete it if no database was ever used with it.`
  }
  return null
}

/** The secret of the data folder or the database; the first start creates it. */
async function ownSecret(db: Database, where: SecretPlace): Promise<Buffer> {
  const folder = join(where.dataDir, 'secrets')
  const found = where.embedded ? await readSecret(join(folder, 'key')) : await findValue(db, 'key')
  if (found) return found
  // a database that was used with another secret gets a new one only if the old one is known
  const isChanged = where.embedded && (await readSecret(join(folder, 'key.old'))) !== null
  if (!isChanged && (await findValue(db, 'fingerprint'))) throw new WrongKey(wrongKey(where))
  const fresh = randomBytes(32)
  if (!where.embedded) return insertValueOnce(db, 'key', fresh)
  // the lock of the data folder keeps other processes from writing here
  await writeWhole(join(folder, 'key'), `${fresh.toString('base64url')}\n`)
  return fresh
}

function wrongKey({ secretKey, embedded, dataDir }: SecretPlace): string {
  const change = 'To change it, see "Changing the secret" in docs/operations.md.'
  if (secretKey) return `SECRET_KEY is not the key that this database was used with. ${change}`
  return embedded
    ? `The key in ${join(dataDir, 'secrets')} is missing or not the one that this database was used with. Put back the file, or the SECRET_KEY, that belongs to it. ${change}`
    : 'This database was used with a SECRET_KEY: set it for every instance.'
}

/** The first secret signs and seals, all of them verify and open. */
function keyringOf(secrets: Buffer[]): Keyring {
  const made = new Map<string, Buffer[]>()
  const keysFor = (purpose: string) => {
    let keys = made.get(purpose)
    if (!keys)
      made.set(
        purpose,
        (keys = secrets.map((each) => Buffer.from(hkdfSync('sha256', each, 'rheinklang', purpose, 32)))),
      )
    return keys
  }
  const keyFor = (purpose: string) => keysFor(purpose)[0]!
  const macs = (purpose: string, text: string) =>
    keysFor(purpose).map((key) => createHmac('sha256', key).update(text).digest())
  const seal = (purpose: string, context: string, text: string) => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(context))
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }
  const openWith = (key: Buffer, context: string, sealed: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-16))
    return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  }
  const opened = (purpose: string, context: string, sealed: Buffer) => {
    let failure: unknown
    for (const [age, key] of keysFor(purpose).entries()) {
      try {
        return { age, text: openWith(key, context, sealed) }
      } catch (error) {
        failure = error
      }
    }
    throw new SealedOtherwise(failure)
  }
  return {
    keyFor,
    keysFor,
    macs,
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    seal,
    open: (purpose, context, sealed) => opened(purpose, context, sealed).text,
    sealAnew(purpose, context, sealed) {
      const { age, text } = opened(purpose, context, sealed)
      return age === 0 ? null : seal(purpose, context, text)
    },
  }
}

/** Stores `fresh` unless the name has a value, and returns the stored value. Safe when several instances start at once. */
async function insertValueOnce(db: Database, name: string, fresh: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ value: Buffer }>`
    insert into installation_keys (name, value) values (${name}, ${fresh})
    on conflict (name) do update set name = excluded.name
    returning value`.execute(db)
  return rows[0]!.value
}

async function findValue(db: Database, name: string): Promise<Buffer | null> {
  const { rows } = await sql<{ value: Buffer }>`select value from installation_keys where name = ${name}`.execute(db)
  return rows[0]?.value ?? null
}

async function updateValue(db: Database, name: string, value: Buffer): Promise<void> {
  await sql`update installation_keys set value = ${value} where name = ${name}`.execute(db)
}

async function deleteValue(db: Database, name: string): Promise<void> {
  await sql`delete from installation_keys where name = ${name}`.execute(db)
}

/** null: the file does not exist. */
async function readSecret(file: string): Promise<Buffer | null> {
  const bytes = await readIfThere(file)
  return bytes && Buffer.from(bytes.toString().trim(), 'base64url')
}
