import type pg from 'pg'
import type { Config } from './config.ts'

/** Why a start or a command fails, each in a sentence that names what the operator can put right. */

/** A connection, or the sentence. */
export async function reachDatabase(pool: pg.Pool, { databaseUrl, dataDir }: Config): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const which = databaseUrl ? 'of DATABASE_URL' : `in "${dataDir}" (DATA_DIR)`
    throw new Error(`The database ${which} cannot be reached: ${said(error)}.`, { cause: error })
  }
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
