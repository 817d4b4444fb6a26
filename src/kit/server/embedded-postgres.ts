import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DataFolderInUse, lockDataFolder, type DataFolderLock } from './data-folder-lock.ts'
import { database, isClusterOf, makeCluster, port, socketFolderOf, type Cluster } from './embedded-postgres/cluster.ts'
import { chooseIdentity, handOver } from './embedded-postgres/identity.ts'
import { clearTheWay, readPostmasterPid, startPostmaster } from './embedded-postgres/postmaster.ts'
import { findPrograms, type Programs } from './embedded-postgres/programs.ts'
import { endProcess, type Log, type TiedProcess } from './embedded-postgres/tied-process.ts'

export interface EmbeddedPostgresOptions {
  /** Folder for all data; created with mode 0700 when missing. */
  dataDir: string
  log?: Log
  /** Address of the app that starts the server; commands that attach get it. */
  origin?: string | null
}

/** Options for a client or pool of `pg`. `host` is the folder of a unix socket that no other system user may enter. */
export interface EmbeddedPostgresConnection {
  host: string
  port: number
  database: string
  user: string
  ssl: false
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedPostgresConnection
  /** PostgreSQL's process number; it changes when PostgreSQL is restarted, and is undefined while none runs. */
  readonly pid: number | undefined
  /** Address of the app in whose process the server runs; null for this process, or where it is unknown. */
  readonly origin: string | null
  /**
   * Stops the server, closes its clients' connections and frees the folder. Does nothing for a server of another process, and when called
   * again.
   */
  stop(): Promise<void>
}

/**
 * Starts the bundled PostgreSQL on `<dataDir>/postgres`; the first start creates the cluster and the empty database `rheinklang`. It runs
 * until `stop()` or until this process ends in any way, and is restarted whenever it ends by itself. No acknowledged write is lost.
 *
 * The user `rheinklang` owns the database and is no superuser, as on most servers behind a DATABASE_URL. Text sorts by code point
 * (builtin C.UTF-8, which system updates do not change): name a collation wherever people see the order.
 * @throws Error with a sentence for the operator: the folder is in use (`DataFolderInUse`), or belongs to another user or another major
 * version of PostgreSQL, or PostgreSQL cannot run here
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  return run(programs, lockDataFolder(options.dataDir), true, options)
}

/**
 * For commands: uses the server that runs on the folder, or starts one until the command ends. Where another command has started the
 * server, it waits up to a minute for that command to end, because its server ends with it.
 * @throws as startEmbeddedPostgres
 */
export async function attachOrStartEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  const deadline = performance.now() + 60_000
  for (;;) {
    try {
      return await run(programs, lockDataFolder(options.dataDir), false, options)
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || performance.now() > deadline) throw error
      const { connection, cluster, origin = null } = (error.note ?? {}) as Partial<Invitation>
      if (connection && cluster && (await answers(connection))) {
        return { connection, pid: await readPostmasterPid(cluster), origin, stop: async () => {} }
      }
      await sleep(100)
    }
  }
}

/** The note of a running server in the lock of its folder, for commands. */
interface Invitation {
  connection: EmbeddedPostgresConnection
  /** PostgreSQL's data folder. */
  cluster: string
  origin: string | null
}

async function answers(connection: EmbeddedPostgresConnection): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function run(
  programs: Programs,
  lock: DataFolderLock,
  invites: boolean,
  { log = () => {}, origin = null }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const stopping = new AbortController()
  let postmaster: TiedProcess | undefined
  let startedAt = 0

  async function start(cluster: Cluster): Promise<TiedProcess> {
    await startPostmaster(cluster, stopping.signal, log, (spawned) => (postmaster = spawned))
    startedAt = performance.now()
    log('info', `PostgreSQL ${programs.version} is ready (process ${postmaster!.pid}).`)
    return postmaster!
  }

  /** Restarts PostgreSQL whenever it ends: at once, and after failed starts with growing pauses of at most 2 s. */
  async function restartForever(cluster: Cluster, running: TiedProcess) {
    let failures = 0
    for (;;) {
      const end = await running.ended
      if (stopping.signal.aborted) return
      log('error', `PostgreSQL ended unexpectedly (${end}). It is being started again.`)
      if (performance.now() - startedAt > 5_000) failures = 0
      for (let again: TiedProcess | undefined; !again; failures++) {
        try {
          await sleep(failures && Math.min(2000, 50 * 2 ** failures), undefined, { signal: stopping.signal })
          running = again = await start(cluster)
        } catch (error) {
          if (stopping.signal.aborted) return
          log('error', (error as Error).message)
        }
      }
    }
  }

  try {
    const cluster = await prepareCluster(programs, lock.folder, log)
    const first = await start(cluster)
    const connection = connectionTo(cluster)
    if (invites) lock.announce({ connection, cluster: cluster.folder, origin } satisfies Invitation)
    const restarts = restartForever(cluster, first)

    async function end() {
      stopping.abort()
      await endProcess(postmaster!, log)
      await restarts
      await rm(cluster.socketFolder, { recursive: true, force: true })
      lock.release()
      log('info', 'PostgreSQL is stopped.')
    }
    let ended: Promise<void> | undefined
    return {
      connection,
      get pid() {
        return postmaster!.isRunning() ? postmaster!.pid : undefined
      },
      origin: null,
      stop: () => (ended ??= end()),
    }
  } catch (error) {
    if (postmaster) await endProcess(postmaster, log)
    lock.release()
    throw error
  }
}

function connectionTo(cluster: Cluster): EmbeddedPostgresConnection {
  return { host: cluster.socketFolder, port, database, user: database, ssl: false }
}

async function prepareCluster(programs: Programs, dataDir: string, log: Log): Promise<Cluster> {
  const folder = join(dataDir, 'postgres')
  const identity = await chooseIdentity(programs, folder, dataDir)
  const isNew = !(await isClusterOf(programs, folder))
  const cluster = { programs, folder, socketFolder: socketFolderOf(dataDir), identity }
  // before the files change their owner: a server that lost its parent may still be writing them
  await clearTheWay(cluster, log)
  await handOver(identity, dataDir, folder)
  if (isNew) {
    log('info', `Making a new database in "${folder}".`)
    await makeCluster(cluster, dataDir)
  }
  return cluster
}
