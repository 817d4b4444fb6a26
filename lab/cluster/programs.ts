import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** The installed programs of a cluster. */
export interface ClusterPrograms {
  /** Folder with `postgres`, `initdb`, `pg_basebackup`, `pg_rewind`. */
  postgresBin: string
  /** Command line of Patroni. */
  patroni: string
  patroniVersion: string
  pgbouncerVersion: string
  /** Environment of all programs. */
  env: Record<string, string>
}

export type PoolMode = 'session' | 'transaction'

/** The first PgBouncer that supports prepared statements in transaction mode by default. */
const pgbouncerAtLeast = [1, 24, 0]

/** The first Patroni that, with etcd v3, loses no acknowledged write when a primary hangs and comes back. */
const patroniAtLeast = [3, 0, 3]

const pgbouncer = '/usr/sbin/pgbouncer'

/** @returns the programs, or a sentence for each that is missing */
export function findClusterPrograms(poolMode: PoolMode): ClusterPrograms | string[] {
  const missing: string[] = []
  if (process.platform !== 'linux')
    return ['A cluster is measured on Linux only: each machine gets an address of 127.77.0.0/16.']
  for (const [path, name] of [
    ['/usr/bin/etcd', 'etcd-server'],
    ['/usr/sbin/haproxy', 'haproxy'],
    [pgbouncer, 'pgbouncer'],
    ['/usr/bin/pgbackrest', 'pgbackrest'],
    ['/usr/bin/curl', 'curl'],
    ['/usr/bin/openssl', 'openssl'],
    ['/usr/bin/setpriv', 'util-linux'],
    ['/usr/bin/systemd-analyze', 'systemd'],
  ])
    if (!existsSync(path!)) missing.push(`${path} is missing: apt-get install ${name}`)
  const postgresBin = globSync('/usr/lib/postgresql/*/bin')
    .filter((bin) =>
      ['initdb', 'postgres', 'pg_basebackup', 'pg_rewind', 'psql'].every((name) => existsSync(join(bin, name))),
    )
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)
  if (!postgresBin) missing.push('No PostgreSQL below /usr/lib/postgresql: apt-get install postgresql')
  // LAB_PATRONI: folder with an unpacked newer version (dpkg -x patroni_….deb FOLDER)
  const folder = process.env['LAB_PATRONI']
  const patroni = folder ? `/usr/bin/python3 ${join(folder, 'usr/bin/patroni')}` : '/usr/bin/patroni'
  const env: Record<string, string> = folder ? { PYTHONPATH: join(folder, 'usr/lib/python3/dist-packages') } : {}
  const patroniVersion = versionOf(patroni, env)
  if (!patroniVersion) missing.push(`${patroni} does not start: apt-get install patroni`)
  else if (isOlder(patroniVersion, patroniAtLeast))
    missing.push(
      `Patroni ${patroniVersion} loses acknowledged writes when a primary hangs and comes back; 3.0.3 or later is needed. Debian 13's runs ` +
        'on Debian 12: apt-get download patroni/trixie; dpkg -x patroni_*.deb FOLDER; LAB_PATRONI=FOLDER',
    )
  const pgbouncerVersion = versionOf(pgbouncer, {})
  if (poolMode === 'transaction' && pgbouncerVersion && isOlder(pgbouncerVersion, pgbouncerAtLeast))
    missing.push(`PgBouncer ${pgbouncerVersion} is too old for transaction mode: 1.24 or later, as Debian 13 has it`)
  if (missing.length > 0) return missing
  return {
    postgresBin: postgresBin!,
    patroni,
    patroniVersion: patroniVersion!,
    pgbouncerVersion: pgbouncerVersion!,
    env,
  }
}

function versionOf(patroni: string, env: Record<string, string>): string | null {
  const [program, ...args] = patroni.split(' ')
  try {
    const output = execFileSync(program!, [...args, '--version'], { env: { ...process.env, ...env }, encoding: 'utf8' })
    return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? null
  } catch {
    return null
  }
}

function isOlder(version: string, atLeast: number[]): boolean {
  const parts = version.split('.').map(Number)
  const at = atLeast.findIndex((part, n) => part !== parts[n])
  return at !== -1 && parts[at]! < atLeast[at]!
}
