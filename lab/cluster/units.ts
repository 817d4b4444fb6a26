import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'

/**
 * Starts what a unit of deploy/ says, where no systemd runs: its command, user, environment and folders, and that it is started
 * again when it ends. The sandbox of the unit and its readiness are left out.
 */
export interface Service {
  readonly name: string
  readonly pid: number
  isRunning(): boolean
  /** How often it ended without being asked, and was started again. */
  readonly restarts: number
  /** To its whole process group; it is started again if it ends by it. */
  signal(signal: NodeJS.Signals): void
  /** Ends it for good, or until `start()`. */
  stop(signal?: NodeJS.Signals): Promise<void>
  start(): void
}

interface Unit {
  command: string[]
  condition: string[] | null
  user: string
  env: Record<string, string>
  cwd: string
  /** Below the machine's root; `var/lib/…` and `run/…`. */
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
    // ends with this process, whatever ends that
    const started = spawn('/usr/bin/setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
      cwd,
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C.UTF-8',
        ...env,
        ...unit.env,
      },
      // a group of its own
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
      // it has just ended
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
 * Has systemd itself read all units of a machine: it knows their words, and their commands and the units that they name are there.
 * @returns how many there are
 */
export function verifyUnits(root: string): number {
  const folder = join(root, 'etc/systemd/system')
  const files = readdirSync(folder).map((file) => join(folder, file))
  const said = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=one', ...files], {
    encoding: 'utf8',
    // beside the system's own
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  })
  if (said.status !== 0) throw new Error(`systemd takes the units of ${root} for wrong:\n${said.stderr}`)
  return files.length
}

/**
 * What a timer starts, once and now: systemd itself reads when it is due, and refuses what it does not understand.
 * @returns false where the unit's condition says that there is nothing to do
 */
export async function runTimer(root: string, file: string): Promise<boolean> {
  const text = readFileSync(join(root, 'etc/systemd/system', file), 'utf8')
  const said = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const due = said('OnCalendar')
  if (due.length === 0 || !said('WantedBy').includes('timers.target')) throw new Error(`${file} is never due.`)
  execFileSync('systemd-analyze', ['calendar', ...due], { encoding: 'utf8' })
  return runUnit(root, said('Unit').at(-1) ?? file.replace(/timer$/, 'service'))
}

/**
 * What a unit runs once, such as a backup; rejects when it fails. `name@instance.service` is read from `name@.service`.
 * @returns false where its condition says that there is nothing to do
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

/** undefined: we are that user. */
export function ownerOf(user: string): { uid: number; gid: number } | undefined {
  const id = (what: string) => Number(execFileSync('id', [what, user], { encoding: 'utf8' }))
  const uid = id('-u')
  return uid === process.getuid!() ? undefined : { uid, gid: id('-g') }
}

function readUnit(text: string): Unit {
  const said = new Map<string, string[]>()
  for (const [, key, value] of text.matchAll(/^(\w+)=(.*)$/gm)) said.set(key!, [...(said.get(key!) ?? []), value!])
  const all = (key: string) => said.get(key) ?? []
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
