import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type pg from 'pg'

/** Names of connections: this prefix, the version, the machine. */
const prefix = 'rheinklang '
/** Instances look for jobs every few seconds. The limit is needed behind PgBouncer, where idle connections keep old names. */
const seenWithinSeconds = 60
const longestName = 63

export interface Instance {
  version: string
  machine: string
}

/** Version of the build, 8 hex digits of a hash of its sources: the same on machines that run the same. */
export function versionHere(): string {
  try {
    return readFileSync(new URL('../../build/sources', import.meta.url), 'utf8').slice(0, 8)
  } catch {
    return 'unbuilt'
  }
}

/** Name of this instance's writing connections in the database. */
export const instanceName = (): string => `${prefix}${versionHere()} ${hostname()}`.slice(0, longestName)

/** The instances that used this database in the last minute, one for each version on a machine. */
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
