import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/kit/server/database.ts'
import { publish } from '../src/live/server/live.ts'
import { openBell } from '../src/live/server/redis.ts'
import { freePort } from '../test/free-port.ts'
import { promote, startForwarder, startOwnPostgres, startStandby } from '../test/postgres-pair.ts'
import { startServer, type RunningServer } from './servers.ts'

export interface WithRedis {
  /** What was told and committed for certain. */
  told: number
  /** Of all that all listeners had to hear. */
  lost: number
  doubled: number
  disordered: number
  /** Streams that broke and went on where they were, and those that were told to ask anew. */
  cameBack: number
  askedAnew: number
  /** From the commit to the listener, by what was the matter. */
  delayMs: Record<Phase, { median: number; longest: number }>
}

type Phase = (typeof phases)[number]
const phases = ['calm', 'Redis restarts', 'Redis hangs', 'an instance dies', 'the primary changes'] as const
const channel = 'urgent'
const perSecond = 20

/** Where Debian has it; null: it is not installed. */
export function redisServer(): string | null {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'])
    for (const name of ['valkey-server', 'redis-server'])
      try {
        accessSync(join(folder, name), constants.X_OK)
        return join(folder, name)
      } catch {
        // not here
      }
  return null
}

/**
 * Listeners at two instances, which call each other by Redis, while something is told twenty times a second: Redis is killed
 * and started again, hangs, an instance is killed, and the primary is killed and its synchronous standby takes over.
 */
export async function measureRedis(program: string, listeners: number): Promise<WithRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-streams-'))
  const port = await freePort()
  let redis = await startRedis(program, folder, port)
  const primary = await startOwnPostgres()
  const forwarder = await startForwarder(primary)
  const instance = (n: number) =>
    startServer(
      'build/app/main.mjs',
      {
        DATABASE_URL: forwarder.url,
        REDIS_URL: `redis://127.0.0.1:${port}`,
        DATA_DIR: join(folder, `${n}`),
        DEMO_DATA: 'off',
        LOG_LEVEL: 'silent',
        STREAMS_PER_ADDRESS: '10000',
        SECRET_KEY: 'the same on both instances, for this measurement',
      },
      { probe: '/readyz' },
    )
  const instances: RunningServer[] = [await instance(0), await instance(1)]
  const standby = await startStandby(primary, { synchronous: true })
  const { db } = openDatabase({ connectionString: forwarder.url }, { maxConnections: 2 })
  const bell = await openBell(`redis://127.0.0.1:${port}`, { name: 'bench', heard() {}, complain() {} })
  const clock = { now: () => Temporal.Now.instant() }
  let phase: Phase = 'calm'
  const delays = Object.fromEntries(phases.map((name) => [name, [] as number[]])) as Record<Phase, number[]>
  /** When it was committed, and in which phase; null: nobody knows whether it was. */
  const committed = new Map<number, { at: number; phase: Phase } | null>()
  const crowd = Array.from({ length: listeners }, (_, n) =>
    listen(
      () => instances.map(({ base }) => base),
      n,
      (number) => {
        const known = committed.get(number)
        if (known) delays[known.phase].push(performance.now() - known.at)
      },
    ),
  )
  try {
    while (crowd.some(({ stands }) => !stands())) await sleep(50)
    let next = 1
    let isTelling = true
    const telling = (async () => {
      while (isTelling) {
        const n = next++
        committed.set(n, null)
        const told = { channel, kind: 'urgent-changed', data: { n } }
        const during = phase
        const tell = db
          .transaction()
          .execute((trx) => publish({ clock, hub: { ring: () => bell.ring() } }, trx, told))
          .then(
            () => committed.set(n, { at: performance.now(), phase: during }),
            () => {},
          )
        // in the order of their commits
        await Promise.all([tell, sleep(1000 / perSecond)])
      }
    })()
    await sleep(3000)
    phase = 'Redis restarts'
    for (let n = 0; n < 3; n++) {
      await kill(redis)
      await sleep(1500)
      redis = await startRedis(program, folder, port)
      await sleep(2500)
    }
    phase = 'Redis hangs'
    redis.kill('SIGSTOP')
    await sleep(5000)
    redis.kill('SIGCONT')
    await sleep(3000)
    phase = 'an instance dies'
    process.kill(instances[1]!.pid, 'SIGKILL')
    instances.splice(1)
    await sleep(2000)
    instances.push(await instance(1))
    await sleep(2000)
    phase = 'the primary changes'
    forwarder.leadTo(null)
    await primary.kill()
    await promote(standby)
    forwarder.leadTo(standby)
    await sleep(8000)
    phase = 'calm'
    await sleep(2000)
    isTelling = false
    await telling
    const certain = [...committed].flatMap(([n, known]) => (known ? [n] : []))
    const deadline = performance.now() + 30_000
    while (performance.now() < deadline && crowd.some(({ heard }) => heard.at(-1) !== certain.at(-1))) await sleep(100)
    const heardBy = crowd.map(({ heard }) => new Set(heard))
    const delayMs = Object.fromEntries(
      phases.map((name) => {
        const sorted = delays[name].sort((a, b) => a - b)
        return [name, { median: sorted[sorted.length >> 1] ?? 0, longest: sorted.at(-1) ?? 0 }]
      }),
    ) as WithRedis['delayMs']
    return {
      told: certain.length,
      lost: sum(heardBy, (heard) => certain.filter((n) => !heard.has(n)).length),
      doubled: sum(crowd, ({ heard }) => heard.length - new Set(heard).size),
      disordered: sum(crowd, ({ heard }) => heard.filter((n, at) => at > 0 && n < heard[at - 1]!).length),
      cameBack: sum(crowd, ({ cameBack }) => cameBack()),
      askedAnew: sum(crowd, ({ askedAnew }) => askedAnew()),
      delayMs,
    }
  } finally {
    for (const each of crowd) each.leave()
    bell.close()
    await db.destroy()
    for (const each of instances) await each.stop()
    await forwarder.close()
    await standby.stop()
    await primary.stop()
    await kill(redis)
    rmSync(folder, { recursive: true, force: true })
  }
}

const sum = <T>(all: T[], of: (each: T) => number) => all.reduce((total, each) => total + of(each), 0)

/** A browser: it comes back where it was, to the next instance that is there. */
function listen(bases: () => string[], turn: number, hears: (n: number) => void) {
  const heard: number[] = []
  let lastEventId: string | null = null
  let stands = false
  let hasLeft = false
  let breaks = 0
  let askedAnew = 0
  let end = () => {}
  const open = () => {
    if (hasLeft) return
    const all = bases()
    const again = onlyOnce(() => setTimeout(open, 100 + Math.random() * 400))
    const request = get(`${all[turn++ % all.length]}/api/stream?channels=${channel}`, {
      agent: false,
      headers: lastEventId ? { 'last-event-id': lastEventId } : {},
    })
    end = () => request.destroy()
    request.on('error', again)
    request.on('response', (response) => {
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
          const event = field('event')
          if (!event) continue
          if (lastEventId !== null && event === 'reset') askedAnew++
          lastEventId = field('id')!
          stands = true
          if (event !== 'changes') continue
          for (const { data } of JSON.parse(field('data')!) as { data: { n: number } }[]) {
            heard.push(data.n)
            hears(data.n)
          }
        }
      })
      response.on('error', () => {})
      response.on('close', () => {
        breaks++
        again()
      })
    })
  }
  open()
  return {
    heard,
    stands: () => stands,
    cameBack: () => breaks,
    askedAnew: () => askedAnew,
    leave() {
      hasLeft = true
      end()
    },
  }
}

function onlyOnce(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

async function startRedis(program: string, folder: string, port: number): Promise<ChildProcess> {
  const redis = spawn(program, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  })
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const stands = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close')]).catch(
      () => false,
    )
    socket.destroy()
    if (stands === true) return redis
    if (redis.exitCode !== null) throw new Error(`${program} ended with ${redis.exitCode}.`)
    await sleep(20)
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
