import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { isDatabaseUnavailable } from '../kit/server/database.ts'
import type { Config } from './config.ts'

/** Why a start or a command fails, in a sentence that says what the operator can change. */
class StartFault extends Error {}

/**
 * Opens a connection to the database.
 * @throws StartFault if the database cannot be reached
 */
export async function reachDatabase(pool: pg.Pool, { databaseUrl, dataDir }: Config): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const which = databaseUrl ? 'of DATABASE_URL' : `in "${dataDir}" (DATA_DIR)`
    throw new StartFault(`The database ${which} cannot be reached: ${textOf(error)}.`, { cause: error })
  }
}

/** @throws StartFault for a database that answers but cannot be used: wrong encoding, read-only, missing privileges */
export async function refuseUnfit(connection: pg.PoolClient): Promise<void> {
  // a role that may not create anything is fine once the tables exist
  const { rows } = await connection.query<{ encoding: string; read_only: string; role: string; is_closed: boolean }>(
    `select current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as read_only,
      current_user as role,
      to_regclass('migration_files') is null and not coalesce(has_schema_privilege(current_schema(), 'CREATE')
        and has_database_privilege(current_database(), 'CREATE'), false) as is_closed`,
  )
  const { encoding, read_only, role, is_closed } = rows[0]!
  if (encoding !== 'UTF8')
    throw new StartFault(`The database has the encoding ${encoding}. Rheinklang needs one with the encoding UTF8.`)
  if (read_only === 'on')
    throw new StartFault('The database is read-only, as a standby is. Rheinklang needs the server that takes writes.')
  if (is_closed)
    throw new StartFault(
      `The role ${role} may create nothing in this database. It must own the database and its schema.`,
    )
}

/** Message that a new embedded database is created: else a mistyped DATA_DIR looks like an empty site. Null: the database exists. */
export function sentenceOfNewDatabase({ dataDir }: Config): string | null {
  if (existsSync(join(dataDir, 'postgres'))) return null
  return `There is no database in "${dataDir}" (DATA_DIR) yet. A new one is made.`
}

/** The error as a StartFault if the database is unreachable or refuses privileges; other errors unchanged. */
export function inASentence(error: unknown): unknown {
  if (error instanceof StartFault) return error
  const cause = { cause: error }
  if ((error as { code?: unknown }).code === insufficientPrivilege)
    return new StartFault(
      `The role of DATABASE_URL may not do what a start does (${textOf(error)}). It must own the database and all that is in it.`,
      cause,
    )
  return isDatabaseUnavailable(error)
    ? new StartFault(`The database cannot be reached any more: ${textOf(error)}.`, cause)
    : error
}

const insufficientPrivilege = '42501'

/** Says why a statement of the start takes longer than `slowMs`; null: none does. `name`: `application_name` of its connections. */
export async function whatItWaitsFor(connection: pg.PoolClient, name: string, slowMs: number): Promise<string | null> {
  const { rows } = await connection.query<{ type: string | null; event: string | null }>(
    `select wait_event_type as type, wait_event as event from pg_stat_activity
     where application_name = $1 and state = 'active' and query_start < clock_timestamp() - $2 * interval '1 ms'
     limit 1`,
    [name, slowMs],
  )
  const [slow] = rows
  if (!slow) return null
  const reason =
    slow.event === 'SyncRep'
      ? 'a commit waits for a standby (synchronous_standby_names)'
      : slow.type === 'Lock'
        ? 'a statement waits for a lock of another session'
        : `a statement takes its time (${slow.event ?? 'working'})`
  return `the start waits for the database: ${reason}`
}

/** Code of an error of PostgreSQL or the system, for the log. Its message may hold private data. */
export function faultOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'no answer'
}

/** The error's message; for a host name with several addresses, the messages about all of them. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(textOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

export function cannotListen({ host, port }: Config, error: NodeJS.ErrnoException): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `PORT ${port} is in use by another program. Stop it, or choose another one.`,
    EACCES: `PORT ${port} is not allowed to this system user. Choose one from 1024 on.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine.`,
    ENOTFOUND: `HOST ${host} is no name or address of this machine.`,
    EAI_AGAIN: `HOST ${host} is no name or address of this machine, or names cannot be looked up now.`,
  }
  const sentence = sentences[error.code ?? ''] ?? `HOST ${host} with PORT ${port} cannot be opened: ${error.message}.`
  return new Error(sentence, { cause: error })
}
