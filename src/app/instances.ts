import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type pg from 'pg'

/** Names of connections begin so; the version follows, then the machine. */
const prefix = 'rheinklang '
/** An instance looks for jobs every few seconds. Behind PgBouncer a connection keeps the name of who used it last. */
const seenWithinSeconds = 60
const longestName = 63

export interface Instance {
  version: string
  machine: string
}

/** What the sources were that the screens were built from, in 8 digits: equal on machines that run the same. */
export function versionHere(): string {
  try {
    return readFileSync(new URL('../../build/sources', import.meta.url), 'utf8').slice(0, 8)
  } catch {
    return 'unbuilt'
  }
}

/** By this name the database knows the connections of this instance that write. */
export const instanceName = (): string => `${prefix}${versionHere()} ${hostname()}`.slice(0, longestName)

/** Which instances have asked this database of late, one line for each version on a machine. */
export async function instancesSeen(pool: pg.Pool): Promise<Instance[]> {
  const { rows } = await pool.query<{ application_name: string }>(
    `select distinct application_name from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)
       and state_change > clock_timestamp() - make_interval(secs => $2)
     order by application_name limit 1000`,
    [prefix, seenWithinSeconds],
  )
  return rows.flatMap(({ application_name }) => {
    const [, version, machine] = /^rheinklang ([0-9a-f]{8}|unbuilt) (.+)$/.exec(application_name) ?? []
    return version && machine ? [{ version, machine }] : []
  })
}
