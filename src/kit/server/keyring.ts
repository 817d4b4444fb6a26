import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { writeWhole } from './data-folder.ts'
import type { Database } from './database.ts'

/**
 * Keys of this installation, each for one purpose, all made from one secret that every instance shares. While a secret is
 * being changed the one before still counts for reading: what it signed or sealed is good until it runs out.
 */
export interface Keyring {
  /** 32 bytes for a purpose, to sign with; the same on every instance and after every start. */
  keyFor(purpose: string): Buffer
  /** To verify with: that key, then those of secrets before. */
  keysFor(purpose: string): Buffer[]
  /** HMAC-SHA256 with the key of the purpose. */
  mac(purpose: string, text: string): Buffer
  /** The same with each key that counts, that of today first. */
  macs(purpose: string, text: string): Buffer[]
  /** AES-256-GCM; `context` (e.g. the row's id) must be the same when opening. */
  seal(purpose: string, context: string, secret: string): Buffer
  /** Throws `SealedOtherwise` when it was sealed with a key that does not count, or another context. */
  open(purpose: string, context: string, sealed: Buffer): string
  /** Sealed with the key of today; null: it is already. Throws as `open`. */
  sealAnew(purpose: string, context: string, sealed: Buffer): Buffer | null
}

/** The key that was found is another than the one the database was used with. */
export class WrongKey extends Error {}

/**
 * Something was sealed with a secret that this instance does not have. While the secret is being changed another instance has the
 * new one already: a passing state, answered with 503.
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
  /** `SECRET_KEY_OLD`: the one before. */
  oldSecretKey: string | null
  dataDir: string
  embedded: boolean
}

/**
 * The installation's secret: `SECRET_KEY`, else the file `secrets/key` of the data folder with the embedded database, else
 * a row of the shared database. The first two keep it out of every dump of the database. A new one is taken where the one
 * before is known: from `SECRET_KEY_OLD`, the file `secrets/key.old`, or that row. `sealAnew` then seals with it what the
 * one before has sealed; it is run at every start at which there is an old secret, for another instance may have used it.
 * @throws WrongKey with a sentence
 */
export async function openKeyring(
  db: Database,
  where: SecretPlace,
  sealAnew: (keyring: Keyring) => Promise<void>,
): Promise<Keyring> {
  const usedWith = await keptValue(db, 'fingerprint')
  const cutOff = await cutOffFile(where, usedWith)
  if (cutOff) throw new WrongKey(cutOff)
  const given = where.secretKey
  const secret = given ? Buffer.from(given, 'utf8') : await ownSecret(db, where)
  const rowBefore = given && !where.embedded ? await keptValue(db, 'key') : null
  const fileOld = where.embedded ? await readSecret(join(where.dataDir, 'secrets', 'key.old')) : null
  const fileBefore = fileOld && !isCutOff(fileOld, usedWith) ? fileOld : null
  const oldBefore = where.oldSecretKey === null ? null : Buffer.from(where.oldSecretKey, 'utf8')
  const before = [oldBefore, fileBefore].filter((each) => each !== null)
  const keyring = keyringOf([secret, ...before, ...(rowBefore ? [rowBefore] : [])])
  const [fingerprint, ...fingerprintsBefore] = keyring.macs('fingerprint', 'rheinklang')
  const known = await keptOnce(db, 'fingerprint', fingerprint!)
  const isKnown = (each: Buffer) => known.length === each.length && timingSafeEqual(known, each)
  if (!isKnown(fingerprint!) && !fingerprintsBefore.some(isKnown)) throw new WrongKey(wrongKey(where))
  if (fingerprintsBefore.length > 0) await sealAnew(keyring)
  // only now, so that a crash in between leaves the one before in its right
  if (!isKnown(fingerprint!)) await changeKept(db, 'fingerprint', fingerprint!)
  // it is in dumps: nothing may be signed with it any more
  if (!rowBefore) return keyring
  await forgetKept(db, 'key')
  return keyringOf([secret, ...before])
}

/** Why a start would refuse the secret; null: it fits, or there is nothing yet that it has to fit. Writes nothing. */
export async function faultOfSecret(db: Database, where: SecretPlace): Promise<string | null> {
  const known = await keptValue(db, 'fingerprint')
  const cutOff = await cutOffFile(where, known)
  if (cutOff || !known) return cutOff
  const given = where.secretKey === null ? null : Buffer.from(where.secretKey, 'utf8')
  const old = where.oldSecretKey === null ? null : Buffer.from(where.oldSecretKey, 'utf8')
  const inFolder = (name: string) => readSecret(join(where.dataDir, 'secrets', name))
  const elsewhere = where.embedded
    ? [given ? null : await inFolder('key'), await inFolder('key.old')]
    : [await keptValue(db, 'key')]
  const secrets = [given, old, ...elsewhere].filter((each) => each !== null)
  const isKnown = keyringOf(secrets)
    .macs('fingerprint', 'rheinklang')
    .some((each) => known.length === each.length && timingSafeEqual(known, each))
  return isKnown ? null : wrongKey(where)
}

/** Of a secret in a file, as a `SECRET_KEY` of 32 letters has them; ours have 32. */
const leastBytes = 24

const fits = (secret: Buffer, known: Buffer | null) =>
  known?.equals(keyringOf([secret]).mac('fingerprint', 'rheinklang')) ?? false

/** Anybody could try what is left of it, and sign like us. One that the database was used with goes on. */
const isCutOff = (secret: Buffer, known: Buffer | null) => secret.length < leastBytes && !fits(secret, known)

/** The sentence for a file of a secret that is empty or cut off. Beside a newer secret an old one is left out instead. */
async function cutOffFile(where: SecretPlace, known: Buffer | null): Promise<string | null> {
  if (!where.embedded) return null
  const inFolder = (name: string) => readSecret(join(where.dataDir, 'secrets', name))
  const present = where.secretKey ? Buffer.from(where.secretKey, 'utf8') : await inFolder('key')
  for (const name of where.secretKey ? ['key.old'] : ['key', 'key.old']) {
    const file = join(where.dataDir, 'secrets', name)
    const secret = await inFolder(name)
    if (!secret || !isCutOff(secret, known) || (present && fits(present, known))) continue
    return `${file} is empty or cut off. Put back the whole file, or delete it if no database was ever used with it.`
  }
  return null
}

/** The one in the data folder or the database; the first start makes it. */
async function ownSecret(db: Database, where: SecretPlace): Promise<Buffer> {
  const folder = join(where.dataDir, 'secrets')
  const found = where.embedded ? await readSecret(join(folder, 'key')) : await keptValue(db, 'key')
  if (found) return found
  // a database in use has another one, which is put in its place here or not at all
  const isChanged = where.embedded && (await readSecret(join(folder, 'key.old'))) !== null
  if (!isChanged && (await keptValue(db, 'fingerprint'))) throw new WrongKey(wrongKey(where))
  const fresh = randomBytes(32)
  if (!where.embedded) return keptOnce(db, 'key', fresh)
  // the starter holds the lock of the data folder, so nobody else writes here meanwhile
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

/** The value kept under the name; the first instance that asks sets it. */
async function keptOnce(db: Database, name: string, fresh: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ value: Buffer }>`
    insert into installation_keys (name, value) values (${name}, ${fresh})
    on conflict (name) do update set name = excluded.name
    returning value`.execute(db)
  return rows[0]!.value
}

async function keptValue(db: Database, name: string): Promise<Buffer | null> {
  const { rows } = await sql<{ value: Buffer }>`select value from installation_keys where name = ${name}`.execute(db)
  return rows[0]?.value ?? null
}

async function changeKept(db: Database, name: string, value: Buffer): Promise<void> {
  await sql`update installation_keys set value = ${value} where name = ${name}`.execute(db)
}

async function forgetKept(db: Database, name: string): Promise<void> {
  await sql`delete from installation_keys where name = ${name}`.execute(db)
}

/** null: there is no such file. */
async function readSecret(file: string): Promise<Buffer | null> {
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}
