import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../data-folder.ts'

export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

/** How PostgreSQL is started: it refuses to run as root, so root starts it by the command `wrapper` or as another user. */
export interface Identity {
  wrapper: string[]
  uid?: number
  gid?: number
}

/** A fixed environment: PG* variables would change PostgreSQL, and the app's secrets must not reach its user. */
export const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** Signals a process. False when there is none. */
export function killIfThere(pid: number, signal: NodeJS.Signals | 0): boolean {
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

/** Tries a fast shutdown, then an immediate one (the next start recovers, no data is lost), then kills the process. */
export async function endProcess(it: EndableProcess, log: Log) {
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

export interface TiedProcess extends EndableProcess {
  readonly pid: number | undefined
  isRunning(): boolean
  /** How it ended: "SIGKILL", "exit code 0", or "exit code 1: " with its last lines. Never rejects. */
  readonly ended: Promise<string>
}

/**
 * Shell code that stops PostgreSQL when this process ends. Only this process holds the other end of fd 3, so fd 3 closes with it, also
 * after `kill -9`; a background shell then sends the fast shutdown. That shell is started by a subshell that ends at once (two brackets):
 * if it were PostgreSQL's child, its death by a signal would count as a crash of PostgreSQL. A line on fd 3 calls it off.
 */
const tie = '( (read -r line <&3 || kill -INT $$) </dev/null >/dev/null 2>&1 & ); exec "$@" 3<&-'

export function spawnTied(
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
    // a process group of its own: Ctrl-C reaches only the app, which stops the database last
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  const untie = child.stdio[3] as Writable
  // pipes break when the process ends, which `ended` reports
  for (const pipe of [child.stdin!, untie]) pipe.on('error', () => {})
  child.stdin!.end(input)

  const lastLines: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => {
    // lines about refused clients are many, and do not say why it ended
    const isAboutClients = /the database system is|terminating connection/.test(line)
    if (!isAboutClients && lastLines.push(line) > 5) lastLines.shift()
    onLine(line)
  })

  async function ended(): Promise<string> {
    try {
      const closed = once(child, 'close').catch(() => {})
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      untie.end('\n')
      // its last lines may still be in the pipe; do not wait for its end, as backends may hold it open
      await Promise.race([closed, sleep(200, undefined, { ref: false })])
      return signal ?? [`exit code ${code}`, ...(code === 0 ? [] : lastLines)].join(': ')
    } catch (error) {
      return (error as Error).message // it was never spawned
    }
  }
  return {
    pid: child.pid,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill: (signal) => child.kill(signal),
    ended: ended(),
  }
}
