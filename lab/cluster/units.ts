import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'

/**
 * A service of a unit of deploy/, run without systemd: with the unit's command, user, environment and folders, and restarted when it ends.
 * Sandbox and readiness of the unit are ignored.
 */
export interface Service {
  readonly name: string
  readonly pid: number
  isRunning(): boolean
  /** Number of restarts after it ended by itself. */
  readonly restarts: number
  /** Signals the whole process group; if the service ends by that, it is restarted. */
  signal(signal: NodeJS.Signals): void
  /** Ends the service until `start()`. */
  stop(signal?: NodeJS.Signals): Promise<void>
  start(): void
}

interface Unit {
  command: string[]
  condition: string[] | null
  user: string
  env: Record<string, string>
  cwd: string
  /** Relative to the machine's root: `var/lib/…` and `run/…`. */
  folders: string[]
  stopSignal: NodeJS.Signals
  restartMs: number
}

export function startUnit(root: string, file: string, env: Record<string, string> = {}): Service {
  const path = join(root, 'etc/systemd/system', file)
  const { command, user, cwd, folders, stopSignal, restartMs, ...unit } = readUnit(readFileSync(path, 'utf8'))
  const owner = ownerOf(user)
  for (const folder of folders) {
    mkdirSync(dirname(join(root, folder)), { recursive: true })
    mkdirSync(join(root, folder), { recursive: true, mode: 0o700 })
    if (owner) chownSync(join(root, folder), owner.uid, owner.gid)
  }
  const log = openSync(join(root, `${basename(file, '.service')}.log`), 'a')
  let child: ChildProcess
  let isWanted = true
  let restarts = 0
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const start = () => {
    isWanted = true
    // setpriv: it ends when this process ends in any way
    const started = spawn('/usr/bin/setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
      cwd,
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C.UTF-8',
        ...env,
        ...unit.env,
      },
      // a process group of its own
      detached: true,
      stdio: ['ignore', log, log],
      ...owner,
    })
    child = started
    started.on('error', (error) => console.error(`${file}: ${error.message}`))
    started.on('exit', async () => {
      await sleep(restartMs, undefined, { ref: false })
      if (!isWanted || child !== started) return
      restarts++
      start()
    })
  }
  start()
  const signal = (name: NodeJS.Signals) => {
    if (!isRunning()) return
    try {
      process.kill(-child.pid!, name)
    } catch {
      // the process has just ended
    }
  }
  return {
    name: file,
    get pid() {
      return child.pid!
    },
    get restarts() {
      return restarts
    },
    isRunning,
    signal,
    start,
    async stop(name = stopSignal) {
      isWanted = false
      if (!isRunning()) return
      const ended = once(child, 'exit')
      signal(name)
      const gaveUp = sleep(30_000, true as const, { ref: false })
      if ((await Promise.race([ended, gaveUp])) === true) signal('SIGKILL')
      await ended
    },
  }
}

/**
 * Lets systemd check all units of a machine: their settings are known, and their commands and the units that they name exist.
 * @returns number of units
 */
export function verifyUnits(root: string): number {
  const folder = join(root, 'etc/systemd/system')
  const files = readdirSync(folder).map((file) => join(folder, file))
  const check = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=one', ...files], {
    encoding: 'utf8',
    // in addition to the system's units
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  })
  if (check.status !== 0) throw new Error(`systemd takes the units of ${root} for wrong:\n${check.stderr}`)
  return files.length
}

/**
 * Runs the unit of a timer once, now. systemd checks when the timer is due.
 * @returns false where the unit's condition is not met
 */
export async function runTimer(root: string, file: string): Promise<boolean> {
  const text = readFileSync(join(root, 'etc/systemd/system', file), 'utf8')
  const valuesOf = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const due = valuesOf('OnCalendar')
  if (due.length === 0 || !valuesOf('WantedBy').includes('timers.target')) throw new Error(`${file} is never due.`)
  execFileSync('systemd-analyze', ['calendar', ...due], { encoding: 'utf8' })
  return runUnit(root, valuesOf('Unit').at(-1) ?? file.replace(/timer$/, 'service'))
}

/**
 * Runs a one-shot unit such as a backup. `name@instance.service` is read from `name@.service`.
 * @returns false where the unit's condition is not met
 * @throws Error when the command fails
 */
async function runUnit(root: string, file: string): Promise<boolean> {
  const [, template, instance = ''] = /^([^@]+@?)([^@]*)\.service$/.exec(file)!
  const text = readFileSync(join(root, 'etc/systemd/system', `${template}.service`), 'utf8').replaceAll('%i', instance)
  const { command, condition, user } = readUnit(text)
  if (
    condition &&
    !(await runAs(user, condition).then(
      () => true,
      () => false,
    ))
  )
    return false
  await runAs(user, command)
  return true
}

export async function runAs(user: string, [program, ...args]: string[]): Promise<void> {
  const child = spawn(program!, args, { cwd: '/', stdio: ['ignore', 'inherit', 'inherit'], ...ownerOf(user) })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`)
}

/** undefined: this process runs as that user. */
export function ownerOf(user: string): { uid: number; gid: number } | undefined {
  const id = (what: string) => Number(execFileSync('id', [what, user], { encoding: 'utf8' }))
  const uid = id('-u')
  return uid === process.getuid!() ? undefined : { uid, gid: id('-g') }
}

function readUnit(text: string): Unit {
  const settings = new Map<string, string[]>()
  for (const [, key, value] of text.matchAll(/^(\w+)=(.*)$/gm))
    settings.set(key!, [...(settings.get(key!) ?? []), value!])
  const all = (key: string) => settings.get(key) ?? []
  const words = (key: string) => all(key).flatMap((value) => value.split(/\s+/).filter(Boolean))
  const env: Record<string, string> = Object.fromEntries(
    words('Environment').map((each) => each.split(/=(.*)/s) as [string, string]),
  )
  for (const file of all('EnvironmentFile'))
    try {
      Object.assign(env, parseEnv(readFileSync(file.replace(/^-/, ''), 'utf8')))
    } catch (error) {
      if (!file.startsWith('-')) throw error
    }
  return {
    command: all('ExecStart').at(-1)!.split(/\s+/),
    condition: all('ExecCondition').at(-1)?.split(/\s+/) ?? null,
    user: all('User').at(-1) ?? 'root',
    env,
    cwd: all('WorkingDirectory').at(-1) ?? '/',
    folders: [
      ...words('StateDirectory').map((name) => `var/lib/${name}`),
      ...words('RuntimeDirectory').map((name) => `run/${name}`),
    ],
    stopSignal: (all('KillSignal').at(-1) ?? 'SIGTERM') as NodeJS.Signals,
    restartMs: Number(all('RestartSec').at(-1) ?? 0.1) * 1000,
  }
}
