import {
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type Kysely,
  type PostgresDialectConfig,
} from 'kysely'
import type { DB } from '../../database-types.ts'

/** What is done once the transaction that a connection is in has been committed. */
const afterwards = new WeakMap<DatabaseConnection, (() => void)[]>()

/**
 * Does something once the transaction is committed, and nothing when it is undone; outside of a transaction at once. Where the
 * connection breaks at the commit nobody knows whether it was done, and this is not.
 */
export async function afterCommit(sql: Kysely<DB>, work: () => void): Promise<void> {
  if (!sql.isTransaction) return work()
  await sql.getExecutor().provideConnection(async (connection) => {
    afterwards.set(connection, [...(afterwards.get(connection) ?? []), work])
  })
}

/** PostgreSQL as kysely speaks to it, with `afterCommit`. */
export class DialectWithCommits extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver() {
    return new DriverWithCommits(this.#config)
  }
}

class DriverWithCommits extends PostgresDriver {
  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    // what a transaction that was undone has left here
    afterwards.delete(connection)
    await super.beginTransaction(connection, settings)
  }
  override async commitTransaction(connection: DatabaseConnection) {
    await super.commitTransaction(connection)
    const works = afterwards.get(connection) ?? []
    afterwards.delete(connection)
    for (const work of works) work()
  }
}
