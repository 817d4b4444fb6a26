import pg from 'pg'

/** The PostgreSQL server of a test run, and its two templates: an empty database and one with the demo data. */
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

/** Runs one statement on a new connection. */
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
 * Closes leftover connections and drops the database. Not by `with (force)`, which a role without superuser rights may not use while
 * autovacuum is running; a plain drop ends autovacuum and waits up to 5 s.
 */
export async function dropDatabase(admin: string, name: string): Promise<void> {
  await sql(
    admin,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
  )
  await sql(admin, `drop database if exists ${name}`)
}

/** URL of another database of the same server. */
export function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin)
  url.pathname = `/${name}`
  return url.href
}
