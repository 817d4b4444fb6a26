import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, type DatabaseConnection } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { Database, DatabaseAddress } from './database.ts'
import { openPool } from './pool.ts'

/**
 * Runs `work` and rolls back everything it wrote. There is one connection with one transaction, and the transactions of `work` are
 * savepoints in it. Locks are held until the end.
 */
export async function inDryRun<Result>(
  address: DatabaseAddress,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const pool = openPool(
    // never reconnect: a new connection would be outside the transaction
    { ...address, idleTimeoutMillis: 0, maxLifetimeSeconds: 0 },
    { maxConnections: 1, patient: true },
  )
  const db = new Kysely<DB>({ dialect: new DryDialect({ pool }) })
  try {
    await pool.query('begin')
    return await work(db)
  } finally {
    // the server rolls back when the connection closes
    await db.destroy()
  }
}

class DryDialect extends PostgresDialect {
  readonly #config: ConstructorParameters<typeof PostgresDialect>[0]
  constructor(config: ConstructorParameters<typeof PostgresDialect>[0]) {
    super(config)
    this.#config = config
  }
  override createDriver() {
    return new DryDriver(this.#config)
  }
}

/** The only connection is busy until its transaction ends, so savepoints are never nested. */
class DryDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('savepoint dry_run'))
  }
  override async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('release savepoint dry_run'))
    // migrations set `lock_timeout` until their commit
    await connection.executeQuery(CompiledQuery.raw('reset lock_timeout'))
  }
  override async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('rollback to savepoint dry_run'))
  }
}
