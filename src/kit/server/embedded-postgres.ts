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
  /** Everything lives below it; made with mode 0700 when absent. */
  dataDir: string
  log?: Log
  /** Where people reach the app that starts the server; commands beside it are told. */
  origin?: string | null
}

/** A unix socket, for `pg` (client or pool) as it is; `host` is a folder that no other system user may enter. */
export interface EmbeddedPostgresConnection {
  host: string
  port: number
  database: string
  user: string
  ssl: false
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedPostgresConnection
  /** PostgreSQL's process; another one after a restart, undefined while there is none. */
  readonly pid: number | undefined
  /** Where people reach the app whose server is used; null when it is this process, or unknown. */
  readonly origin: string | null
  /** Ends the server, cutting off its clients, and frees the folder; not one of another process. Does nothing the second time. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that comes with the release on `<dataDir>/postgres`; the first time it makes the cluster and the
 * empty database `rheinklang`. It runs until `stop()` or the end of this process, however that ends, and is started again
 * whenever it ends by itself. What it acknowledged survives all of this.
 *
 * The user `rheinklang` owns the database and is no superuser, as on most servers behind a DATABASE_URL. Text sorts by
 * code point (builtin C.UTF-8, which no system update can change): name a collation where people read the order.
 *
 * Throws a sentence for the operator: the folder is in use (`DataFolderInUse`), belongs to another user or another major
 * version of PostgreSQL, or no PostgreSQL can be run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  return run(programs, lockDataFolder(options.dataDir), true, options)
}

/**
 * For commands: uses the server that runs on the folder, or starts one for the length of the command. A command that
 * finds another command at work waits up to a minute for its end, because that one will take its server with it.
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

/** What a running server tells the commands that find its folder locked. */
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

  /** For as long as the app lives: at once the first time, then after ever longer pauses of at most 2 s. */
  async function startAgainAndAgain(cluster: Cluster, running: TiedProcess) {
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
    const keptRunning = startAgainAndAgain(cluster, first)

    async function end() {
      stopping.abort()
      await endProcess(postmaster!, log)
      await keptRunning
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
  // Before files change hands: a server that lost its parent may still be writing them.
  await clearTheWay(cluster, log)
  await handOver(identity, dataDir, folder)
  if (isNew) {
    log('info', `Making a new database in "${folder}".`)
    await makeCluster(cluster, dataDir)
  }
  return cluster
}
