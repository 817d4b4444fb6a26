import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from './system.ts'

export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

/** PostgreSQL refuses to run as root: it then runs behind `wrapper`, or as another user. */
export interface Identity {
  wrapper: string[]
  uid?: number
  gid?: number
}

/** A constant one: PG* variables would change PostgreSQL, and its user need not see the secrets of the app. */
export const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** False when there is no such process. */
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

/** Fast shutdown; immediate shutdown (a recovery at the next start, nothing lost) for one that hangs; then by force. */
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
  /** Never rejects. How it ended: "SIGKILL", "exit code 0", or "exit code 1: " and its last words. */
  readonly ended: Promise<string>
}

/**
 * Only this process holds the other end of fd 3, so it closes with us, also after `kill -9`; the shell in the background
 * then sends the fast shutdown. Its own parent is gone (two brackets), for PostgreSQL takes a child it does not know
 * that dies by a signal for a crash of its own; and it holds no pipe of ours. A line instead of the end calls it off.
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
    // A process group of its own: Ctrl-C at the terminal is for the app, which then stops the database as the last.
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
