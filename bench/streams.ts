import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type ClientRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { residentMb } from './load.ts'
import { startServer, type RunningServer } from './servers.ts'
import { socketUrl } from './town.ts'

/** What reaches open streams, how fast, and what they cost. */
export interface Streaming {
  streams: number
  instances: number
  told: number
  /** From the commit to the last byte at a stream, over all streams and messages, ms. */
  p50Ms: number
  p95Ms: number
  slowestMs: number
  /** Streams that were cut off once, and came back at the other instance. */
  cut: number
  /** Messages that a stream has not received, and received more than once. */
  missing: number
  doubled: number
  /** Open at one instance and idle, and what each adds to its memory. */
  idle: number
  idleKbEach: number
}

/** What is said to whom: where it is listened to, how it is said, and its number in what a stream brings. */
export interface Topic {
  channel: string
  say: (n: number) => Promise<void>
  numberOf: (data: { n: number; post_number: number }) => number
}

const flags = ['--max-old-space-size=768', '--max-semi-space-size=16']
const urgent = 'urgent'
/** All from this machine. */
const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
const pauseMs = 250
const patienceMs = 15_000
/** A beat goes to all open streams meanwhile, and garbage is collected. */
const settleMs = 20_000
/** Opened at once. */
const wave = 50

export async function measureStreams(streams: number, idle: number, told: number): Promise<Streaming> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-streams-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const url = socketUrl(postgres)
  const db = new pg.Client({ connectionString: url })
  const servers: RunningServer[] = []
  const instances = 2
  try {
    for (let n = 0; n < instances; n++) {
      const env = {
        DATABASE_URL: url,
        DATA_DIR: join(folder, `instance${n}`),
        DEMO_DATA: 'off',
        STREAMS_PER_ADDRESS: String(idle + streams),
      }
      servers.push(await startServer('build/app/main.mjs', env, { probe: '/readyz', nodeArgs: flags }))
    }
    await db.connect()
    const bases = servers.map(({ base }) => base)
    return {
      streams,
      instances,
      told,
      ...(await tellAll(bases, streams, told, {
        channel: urgent,
        say: (n) => tell(db, n),
        numberOf: ({ n }) => n,
      })),
      ...(await keepOpen(servers[0]!, idle)),
    }
  } finally {
    agent.destroy()
    await db.end()
    for (const server of servers) await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function tellAll(bases: string[], streams: number, told: number, { channel, say, numberOf }: Topic) {
  const toldAt: number[] = []
  const delays: number[] = []
  const received = Array.from({ length: streams }, () => Array.from({ length: told }, () => 0))
  const hears = (which: number) => (n: number) => {
    received[which]![n]!++
    delays.push(performance.now() - toldAt[n]!)
  }
  const open: Stream[] = []
  for (let from = 0; from < streams; from += wave)
    open.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(wave, streams - from) }, (_, n) =>
          openStream(bases[(from + n) % bases.length]!, { channel, numberOf, heard: hears(from + n) }),
        ),
      )),
    )
  let cut = 0
  for (let n = 0; n < told; n++) {
    // a tenth loses its connection while the news is on its way
    if (n === Math.floor(told / 2))
      for (let which = 0; which < streams; which += 10) {
        const { lastId } = open[which]!
        open[which]!.end()
        cut++
        void openStream(bases[(which + 1) % bases.length]!, { channel, numberOf, heard: hears(which), lastId }).then(
          (stream) => (open[which] = stream),
        )
      }
    toldAt[n] = performance.now()
    await say(n)
    await wait(pauseMs)
  }
  const missing = () => received.flat().filter((times) => times === 0).length
  for (const end = Date.now() + patienceMs; missing() > 0 && Date.now() < end;) await wait(200)
  for (const stream of open) stream.end()
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const doubled = received.flat().filter((times) => times > 1).length
  return { p50Ms: at(0.5), p95Ms: at(0.95), slowestMs: at(1), cut, missing: missing(), doubled }
}

/** As a room does, in one transaction. */
export async function tell(db: pg.Client, n: number): Promise<void> {
  await db.query(
    `with told as (
       insert into live_events (channel, kind, data, created_at) values ($1, 'bench', jsonb_build_object('n', $2::int), now())
       returning 1)
     select pg_notify('live_events', '') from told`,
    [urgent, n],
  )
}

/** What streams cost that say nothing; some were open before, so that the process has its buffers. */
async function keepOpen({ base, pid }: RunningServer, idle: number) {
  const openSome = async (count: number) => {
    const open: Stream[] = []
    for (let from = 0; from < count; from += wave)
      open.push(
        ...(await Promise.all(Array.from({ length: Math.min(wave, count - from) }, () => openStream(base, {})))),
      )
    return open
  }
  for (const stream of await openSome(Math.ceil(idle / 10))) stream.end()
  await wait(settleMs)
  const before = residentMb(pid)
  const open = await openSome(idle)
  await wait(settleMs)
  const idleKbEach = ((residentMb(pid) - before) * 1024) / idle
  for (const stream of open) stream.end()
  return { idle, idleKbEach }
}

export interface Stream {
  lastId: string | null
  end(): void
}

/** Stands once its first message has come. `from`: the visitor's address, for a proxy that is trusted to name it; `cut`: it ended by itself. */
export async function openStream(
  base: string,
  {
    channel = urgent,
    numberOf = ({ n }) => n,
    heard = () => {},
    cut = () => {},
    lastId = null,
    from = null,
  }: Partial<Pick<Topic, 'channel' | 'numberOf'>> & {
    heard?: (n: number) => void
    cut?: () => void
    lastId?: string | null
    from?: string | null
  },
): Promise<Stream> {
  const headers = {
    accept: 'text/event-stream',
    ...(lastId ? { 'last-event-id': lastId } : {}),
    ...(from ? { 'x-forwarded-for': from } : {}),
  }
  const asked: ClientRequest = get(`${base}/api/stream?channels=${channel}`, { agent, headers })
  let isOver = false
  const stream: Stream = {
    lastId,
    end() {
      isOver = true
      asked.destroy()
    },
  }
  asked.on('error', () => {})
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`A stream answers ${response.statusCode}.`)
  response.on('error', () => {})
  response.on('close', () => !isOver && cut())
  let rest = ''
  let began = () => {}
  const hasBegun = new Promise<void>((resolve) => (began = resolve))
  response.on('data', (piece: Buffer) => {
    const blocks = (rest + piece.toString()).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (!id) continue
      stream.lastId = id
      began()
      if (event === 'changes')
        for (const { data: said } of JSON.parse(data!) as { data: Parameters<Topic['numberOf']>[0] }[])
          heard(numberOf(said))
    }
  })
  await hasBegun
  return stream
}
