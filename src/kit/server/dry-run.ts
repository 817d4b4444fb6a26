import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, type DatabaseConnection } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { Database, DatabaseAddress } from './database.ts'
import { openPool } from './pool.ts'

/**
 * Does what would be done to a database, and rolls all of it back: one connection in one transaction, in which the transactions
 * of `work` are savepoints. What was locked stays locked until the end.
 */
export async function inDryRun<Result>(
  address: DatabaseAddress,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const pool = openPool(
    // another connection would be outside of the transaction
    { ...address, idleTimeoutMillis: 0, maxLifetimeSeconds: 0 },
    { maxConnections: 1, patient: true },
  )
  const db = new Kysely<DB>({ dialect: new DryDialect({ pool }) })
  try {
    await pool.query('begin')
    return await work(db)
  } finally {
    // the server rolls back what a connection has not committed
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

/** The only connection is taken until its transaction ends, so there is never one savepoint within another. */
class DryDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('savepoint dry_run'))
  }
  override async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('release savepoint dry_run'))
    // a commit would have ended the limit that migrations set
    await connection.executeQuery(CompiledQuery.raw('reset lock_timeout'))
  }
  override async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('rollback to savepoint dry_run'))
  }
}
