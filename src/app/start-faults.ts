import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { isDatabaseUnavailable } from '../kit/server/database.ts'
import type { Config } from './config.ts'

/** Why a start or a command fails, each in a sentence that names what the operator can put right. */
class StartFault extends Error {}

/** A connection, or the sentence. */
export async function reachDatabase(pool: pg.Pool, { databaseUrl, dataDir }: Config): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const which = databaseUrl ? 'of DATABASE_URL' : `in "${dataDir}" (DATA_DIR)`
    throw new StartFault(`The database ${which} cannot be reached: ${said(error)}.`, { cause: error })
  }
}

/** Throws the sentence for a database that answers, but that nothing can be kept in. */
export async function refuseUnfit(connection: pg.PoolClient): Promise<void> {
  // a role that may create nothing can still run on tables that are there
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

/** Of an embedded database that is not there yet: a mistyped DATA_DIR would look like a site without anything in it. */
export function sentenceOfNewDatabase({ dataDir }: Config): string | null {
  if (existsSync(join(dataDir, 'postgres'))) return null
  return `There is no database in "${dataDir}" (DATA_DIR) yet. A new one is made.`
}

/** What ended the work of a start on the database, as a sentence; what has one already, or is no fault of the database, as it is. */
export function inASentence(error: unknown): unknown {
  if (error instanceof StartFault) return error
  const cause = { cause: error }
  if ((error as { code?: unknown }).code === insufficientPrivilege)
    return new StartFault(
      `The role of DATABASE_URL may not do what a start does (${said(error)}). It must own the database and all that is in it.`,
      cause,
    )
  return isDatabaseUnavailable(error)
    ? new StartFault(`The database cannot be reached any more: ${said(error)}.`, cause)
    : error
}

const insufficientPrivilege = '42501'

/** The sentence for a statement of the start's connections that has not been answered for `slowMs`; null: there is none. */
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

/** What a failure is called, for a line of the log: a code of PostgreSQL or of the system, never a text of it. */
export function faultOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'no answer'
}

/** Several addresses of one name are tried, and each says something. */
function said(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(said).join(', ')
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
