import pg from 'pg'

/** Server of the run, and the two databases that files clone: one empty, one with the demo data. */
export interface RunPostgres {
  admin: string
  empty: string
  demo: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: RunPostgres
  }
}

/** One statement on a connection of its own. */
export async function sql(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/**
 * Ends what an app left connected and drops the database. Not `with (force)`: to a role that is no superuser that is
 * refused while autovacuum looks at the database; a plain drop asks it to go and waits up to 5 s.
 */
export async function dropDatabase(admin: string, name: string): Promise<void> {
  await sql(
    admin,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
  )
  await sql(admin, `drop database if exists ${name}`)
}

/** The same server, another database. */
export function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin)
  url.pathname = `/${name}`
  return url.href
}
