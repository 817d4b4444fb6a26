import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Keys of this installation, each for one purpose, all made from one secret that every instance shares. */
export interface Keyring {
  /** 32 bytes for a purpose; the same on every instance and after every start. */
  keyFor(purpose: string): Buffer
  /** HMAC-SHA256 with the key of the purpose. */
  mac(purpose: string, text: string): Buffer
  /** AES-256-GCM; `context` (e.g. the row's id) must be the same when opening. */
  seal(purpose: string, context: string, secret: string): Buffer
  /** Throws when it was sealed with another key or context. */
  open(purpose: string, context: string, sealed: Buffer): string
}

/** The key that was found is another than the one the database was used with. */
export class WrongKey extends Error {}

/**
 * The installation's secret: `SECRET_KEY`, else the file `secrets/key` of the data folder with the embedded database, else
 * a row of the shared database. The first two keep it out of every dump of the database.
 * @throws WrongKey with a sentence
 */
export async function openKeyring(
  db: Database,
  where: { secretKey: string | null; dataDir: string; embedded: boolean },
): Promise<Keyring> {
  const fresh = randomBytes(32)
  const secret = where.secretKey
    ? Buffer.from(where.secretKey, 'utf8')
    : where.embedded
      ? await secretFromFile(join(where.dataDir, 'secrets'), fresh)
      : await keptOnce(db, 'key', fresh)
  const keyring = keyringOf(secret)
  const fingerprint = keyring.mac('fingerprint', 'rheinklang')
  const known = await keptOnce(db, 'fingerprint', fingerprint)
  if (known.length !== fingerprint.length || !timingSafeEqual(known, fingerprint))
    throw new WrongKey(
      where.secretKey
        ? 'SECRET_KEY is not the key that this database was used with.'
        : where.embedded
          ? `The key in ${join(where.dataDir, 'secrets')} is not the one that this database was used with. Put back the file that belongs to it.`
          : 'This database was used with a SECRET_KEY: set it for every instance.',
    )
  return keyring
}

function keyringOf(secret: Buffer): Keyring {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    let key = keys.get(purpose)
    if (!key) keys.set(purpose, (key = Buffer.from(hkdfSync('sha256', secret, 'rheinklang', purpose, 32))))
    return key
  }
  return {
    keyFor,
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    seal(purpose, context, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(context))
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(purpose, context, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-16))
      return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
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

/** The starter holds the lock of the data folder, so nobody else writes here meanwhile. */
async function secretFromFile(folder: string, fresh: Buffer): Promise<Buffer> {
  const file = join(folder, 'key')
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, `${fresh.toString('base64url')}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return fresh
}
