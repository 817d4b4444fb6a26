import { execFile } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeSocketFolder, port, type Cluster } from './cluster.ts'
import { endProcess, env, killIfThere, spawnTied, type Log, type TiedProcess } from './tied-process.ts'

/** Passed on the command line, so that they also hold for folders of older releases. */
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
  // this file parses the log
  lc_messages: 'C',
  log_line_prefix: '',
  logging_collector: 'off',
  // LOG ranks above ERROR: failed statements, which may hold personal data, are not logged here but by their callers
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/**
 * Resolves when PostgreSQL takes connections. There is no time limit: recovery after a crash may take long.
 * @throws Error with a sentence for the operator
 */
export async function startPostmaster(
  cluster: Cluster,
  stopping: AbortSignal,
  log: Log,
  onSpawn: (it: TiedProcess) => void,
) {
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
    // backends of a killed postmaster need a moment to end
    const isHeld = /pre-existing shared memory block|lock file ".*" already exists/.test(end)
    if (!isHeld || performance.now() > deadline) throw new Error(`PostgreSQL did not start on "${folder}": ${end}.`)
    await sleep(100, undefined, { signal: stopping })
  }
}

function quoteListItem(text: string) {
  return `"${text.replaceAll('"', '""')}"`
}

/** Ends a postmaster that outlived its parent, and removes a stale pid file and socket. */
export async function clearTheWay({ folder, socketFolder }: Pick<Cluster, 'folder' | 'socketFolder'>, log: Log) {
  const pid = await readPostmasterPid(folder)
  if (pid && (await isPostmaster(pid, folder))) {
    log(
      'warn',
      `The PostgreSQL of a server that is gone (process ${pid}) still runs on "${folder}". It is being stopped.`,
    )
    await endProcess({ isRunning: () => isPostmaster(pid, folder), kill: (signal) => killIfThere(pid, signal) }, log)
  }
  // The number exists but is not our postmaster's, so PostgreSQL would refuse to start. Otherwise the file stays: PostgreSQL reads there
  // which shared memory its last backends may still use.
  if (pid && killIfThere(pid, 0)) await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(socketFolder, `.s.PGSQL.${port}`), { force: true })
  await rm(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true })
}

/** The number in `postmaster.pid`. That process may have ended, and its number may belong to another one. */
export async function readPostmasterPid(folder: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  return pid > 0 ? pid : undefined
}

/** Checks the command line or, for a moved folder, the working directory: the system reuses process numbers. */
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
