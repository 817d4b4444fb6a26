import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  database,
  makeCluster,
  makeSocketFolder,
  port as socketPort,
  type Cluster,
} from '../src/kit/server/embedded-postgres/cluster.ts'
import { chooseIdentity, handOver } from '../src/kit/server/embedded-postgres/identity.ts'
import { findPrograms } from '../src/kit/server/embedded-postgres/programs.ts'
import { killIfThere, spawnTied, type TiedProcess } from '../src/kit/server/embedded-postgres/tied-process.ts'
import { quickFolder } from './quick-folder.ts'

/** A PostgreSQL server of one test, for databases that wait, die or are replaced by their standby. */
export interface OwnPostgres {
  /** URL of its unix socket, for the owner of the database. */
  readonly url: string
  readonly socket: string
  readonly cluster: Cluster
  /** Runs as a superuser. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Kills all processes, like a power failure. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts an empty server that takes writes. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-pg-'))
  const cluster = await clusterIn(dataDir)
  await makeCluster(cluster, dataDir)
  return run(dataDir, cluster)
}

/** Copies the data folder while the server runs, for a standby or a restore. */
async function copyOf(server: OwnPostgres): Promise<{ dataDir: string; cluster: Cluster }> {
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-pg-'))
  const cluster = await clusterIn(dataDir)
  const admin = adminOf(server.cluster.socketFolder)
  await admin.connect()
  try {
    await admin.query("select pg_backup_start('copy', true)")
    await promisify(execFile)('cp', ['-a', server.cluster.folder, cluster.folder])
    const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster.folder, file), { force: true })
    writeFileSync(join(cluster.folder, 'backup_label'), rows[0]!.labelfile)
  } finally {
    await admin.end()
  }
  return { dataDir, cluster }
}

/**
 * Starts a standby from a copy of the primary's data folder. With `synchronous` the primary acknowledges only what the standby has written.
 */
export async function startStandby(primary: OwnPostgres, { synchronous }: { synchronous: boolean }) {
  const { dataDir, cluster } = await copyOf(primary)
  writeFileSync(join(cluster.folder, 'standby.signal'), '')
  // overrides the primary's setting
  const conninfo = `host=${primary.cluster.socketFolder} port=${socketPort} user=postgres application_name=standby`
  writeFileSync(join(cluster.folder, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  await handOver(cluster.identity, dataDir, cluster.folder)
  const standby = await run(dataDir, cluster)
  if (synchronous) await waitForCommits(primary, 'standby')
  await until(async () => (await primary.sql("select 1 from pg_stat_replication where state = 'streaming'")).length > 0)
  return standby
}

export interface Backup {
  /**
   * Starts a server with the data of the first one, which has stopped, as it was at the restore point (`pg_create_restore_point`): in a new
   * folder, or `inPlace`.
   */
  restore(point: string, options: { inPlace: boolean }): Promise<OwnPostgres>
}

/** Backs a server up. Later WAL is read from the server's own folder, as from an archive. */
export async function backUp(server: OwnPostgres): Promise<Backup> {
  const copy = await copyOf(server)
  return {
    async restore(point, { inPlace }) {
      let { dataDir, cluster } = copy
      let archive = server.cluster.folder
      if (inPlace) {
        archive = `${server.cluster.folder}.before`
        renameSync(server.cluster.folder, archive)
        renameSync(cluster.folder, server.cluster.folder)
        rmSync(dataDir, { recursive: true })
        cluster = server.cluster
        dataDir = dirname(cluster.folder)
      }
      writeFileSync(join(cluster.folder, 'recovery.signal'), '')
      writeFileSync(
        join(cluster.folder, 'postgresql.auto.conf'),
        `restore_command = 'cp "${archive}/pg_wal/%f" "%p"'\n` +
          `recovery_target_name = '${point}'\nrecovery_target_action = 'promote'\n`,
      )
      await handOver(cluster.identity, dataDir, cluster.folder)
      const restored = await run(dataDir, cluster)
      await until(async () => {
        const [row] = await restored.sql<{ standby: boolean }>('select pg_is_in_recovery() as standby')
        return !row!.standby
      })
      return restored
    },
  }
}

/** Makes commits wait for the standby of this name; `nobody`: forever; null: not at all. */
export async function waitForCommits(server: OwnPostgres, standby: string | null): Promise<void> {
  await server.sql(`alter system set synchronous_standby_names = '${standby ?? ''}'`)
  await server.sql('select pg_reload_conf()')
  await until(async () => {
    const [row] = await server.sql<{ names: string }>("select current_setting('synchronous_standby_names') as names")
    return row!.names === (standby ?? '')
  })
}

/** Disconnects the standby: later writes of the primary will be lost with the primary. */
export async function cutOff(standby: OwnPostgres, primary: OwnPostgres): Promise<void> {
  await standby.sql("alter system set primary_conninfo = ''")
  await standby.sql('select pg_reload_conf()')
  await until(async () => (await primary.sql('select 1 from pg_stat_replication')).length === 0)
}

/** Waits until the standby has all writes of the primary. */
export async function caughtUp(standby: OwnPostgres, primary: OwnPostgres): Promise<void> {
  const [{ lsn }] = (await primary.sql<{ lsn: string }>('select pg_current_wal_lsn() as lsn')) as [{ lsn: string }]
  await until(async () => {
    const [row] = await standby.sql<{ done: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [lsn])
    return row!.done
  })
}

/** Makes the standby a primary. */
export async function promote(standby: OwnPostgres): Promise<void> {
  await standby.sql('select pg_promote(true, 60)')
}

/** An address that stays the same while the server behind it changes, like the proxy of a cluster. */
export async function startForwarder(to: OwnPostgres) {
  let target: OwnPostgres | null = to
  const open = new Set<Socket>()
  let asked = 0
  const server = createServer((near) => {
    asked++
    if (!target) return near.destroy()
    const far = connect(target.socket)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.pipe(into)
      from.on('error', () => into.destroy())
      from.on('close', () => {
        open.delete(from)
        into.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `postgres://${database}@127.0.0.1:${port}/${database}`,
    /** Number of connection attempts so far. */
    asked: () => asked,
    /** Closes open connections and changes the server; null: no server answers. */
    leadTo(next: OwnPostgres | null) {
      target = next
      for (const socket of open) socket.destroy()
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function clusterIn(dataDir: string): Promise<Cluster> {
  const programs = await findPrograms()
  const folder = join(dataDir, 'postgres')
  const identity = await chooseIdentity(programs, folder, dataDir)
  await handOver(identity, dataDir, folder)
  return { programs, folder, socketFolder: join(dataDir, 'run'), identity }
}

const settings = {
  listen_addresses: '',
  port: socketPort,
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '32MB',
  jit: 'off',
  // autovacuum would use up transaction ids
  autovacuum: 'off',
  timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
}

async function run(dataDir: string, cluster: Cluster): Promise<OwnPostgres> {
  await makeSocketFolder(cluster)
  const { promise: ready, resolve } = Promise.withResolvers<undefined>()
  const args = Object.entries({ ...settings, unix_socket_directories: cluster.socketFolder })
  const postmaster: TiedProcess = spawnTied(
    cluster.identity,
    [
      join(cluster.programs.bin, 'postgres'),
      '-D',
      cluster.folder,
      ...args.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { onLine: (line) => void (/ready to accept (read-only )?connections/.test(line) && resolve(undefined)) },
  )
  const end = await Promise.race([ready, postmaster.ended])
  if (end !== undefined) throw new Error(`PostgreSQL did not start: ${end}`)
  const remove = () => existsSync(dataDir) && rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  return {
    cluster,
    socket: join(cluster.socketFolder, `.s.PGSQL.${socketPort}`),
    url: `postgres://localhost/${database}?host=${encodeURIComponent(cluster.socketFolder)}&port=${socketPort}&user=${database}`,
    async sql<Row>(text: string, values: unknown[] = []) {
      const admin = adminOf(cluster.socketFolder)
      await admin.connect()
      try {
        return (await admin.query(text, values)).rows as Row[]
      } finally {
        await admin.end()
      }
    },
    async kill() {
      killIfThere(postmaster.pid!, 'SIGKILL')
      await postmaster.ended
    },
    async stop() {
      // its data is no longer needed
      if (postmaster.isRunning()) postmaster.kill('SIGQUIT')
      await postmaster.ended
      remove()
    },
  }
}

function adminOf(socketFolder: string): pg.Client {
  const admin = new pg.Client({ host: socketFolder, port: socketPort, user: 'postgres', database })
  admin.on('error', () => {})
  return admin
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}
