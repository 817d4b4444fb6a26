import type { DatabaseAddress } from '../kit/server/database.ts'
import { attachOrStartEmbeddedPostgres } from '../kit/server/embedded-postgres.ts'
import type { Config } from './config.ts'

/**
 * The database for a command that runs beside the server or without it: DATABASE_URL, else the running server of the
 * data folder, else one that is started for the command and stopped by the steps pushed to `undo`.
 */
export async function databaseAddressForCommand(
  config: Config,
  undo: (() => Promise<unknown>)[],
): Promise<DatabaseAddress> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const embedded = await attachOrStartEmbeddedPostgres({ dataDir: config.dataDir })
  undo.push(() => embedded.stop())
  return embedded.connection
}
