import { once } from 'node:events'
import { Agent, get, type ClientRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { builtServer, startServer, type RunningServer } from '../test/built-server.ts'
import { startDatabase, temporaryFolder } from './folder.ts'
import { residentMb } from './load.ts'
import { count, plain, type Row } from './report.ts'

const channel = 'urgent'
const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
const patienceMs = 15_000
/** Long enough for a heartbeat to all streams and for garbage collection. */
const settleMs = 20_000
/** Streams opened at once. */
const wave = 50

/** Delays and losses of `perSecond` messages to open streams of two instances, and the memory of idle streams. */
export async function streamRows(streams: number, perSecond: number, forSeconds: number, idle: number): Promise<Row[]> {
  await using database = await startDatabase()
  using folder = temporaryFolder()
  const start = (name: string) => {
    const STREAMS_PER_ADDRESS = String(idle + streams)
    const DATA_DIR = join(folder.path, name)
    const env = { DATABASE_URL: database.url, DATA_DIR, DEMO_DATA: 'off', STREAMS_PER_ADDRESS }
    return startServer(builtServer, env, { probe: '/readyz' })
  }
  await using one = await start('one')
  await using other = await start('other')
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  try {
    const delivered = await publishAll(db, [one.base, other.base], { streams, perSecond, messages: perSecond * forSeconds })
    const { p50Ms, p95Ms, slowestMs, commitP95Ms, cut, missing, doubled } = delivered
    const what = `${count(streams)} streams over two instances, ${perSecond} messages a second`
    const kb = await memoryOfIdle(one, idle)
    return [
      plain(
        `${what}: from the commit to the stream, p95 (p50, slowest)`,
        `${p95Ms.toFixed(0)} (${p50Ms.toFixed(0)}, ${slowestMs.toFixed(0)}) ms`,
        '≤ 500 ms',
        p95Ms <= 500,
      ),
      plain(
        `${what}, ${cut} cut and back: missing, doubled`,
        `${missing}, ${doubled}`,
        '0, 0',
        missing + doubled === 0,
      ),
      plain(`${what}: commit, p95`, `${commitP95Ms.toFixed(1)} ms`, '', null),
      plain(`an idle stream of ${count(idle)}`, `${kb.toFixed(0)} kB`, '', null),
    ]
  } finally {
    agent.destroy()
    await db.end()
  }
}

async function publishAll(
  db: pg.Client,
  bases: string[],
  { streams, perSecond, messages }: { streams: number; perSecond: number; messages: number },
) {
  const publishedAt: number[] = []
  const commits: number[] = []
  const delays: number[] = []
  const received = Array.from({ length: streams }, () => new Uint8Array(messages))
  const receive = (which: number) => (n: number) => {
    received[which]![n]!++
    delays.push(performance.now() - publishedAt[n]!)
  }
  const open: Stream[] = []
  for (let from = 0; from < streams; from += wave)
    open.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(wave, streams - from) }, (_, n) =>
          openStream(bases[(from + n) % bases.length]!, { onMessage: receive(from + n) }),
        ),
      )),
    )
  let cut = 0
  for (let n = 0; n < messages; n++) {
    // halfway, a tenth of the streams loses its connection
    if (n === Math.floor(messages / 2))
      for (let which = 0; which < streams; which += 10) {
        const { lastId } = open[which]!
        open[which]!.end()
        cut++
        void openStream(bases[(which + 1) % bases.length]!, { onMessage: receive(which), lastId }).then(
          (stream) => (open[which] = stream),
        )
      }
    const began = performance.now()
    publishedAt.push(began)
    await publish(db, n)
    const tookMs = performance.now() - began
    commits.push(tookMs)
    await sleep(Math.max(0, 1000 / perSecond - tookMs))
  }
  const all = (wanted: (times: number) => boolean) =>
    received.reduce((sum, each) => sum + each.filter((times) => wanted(times)).length, 0)
  const missing = () => all((times) => times === 0)
  for (const end = Date.now() + patienceMs; missing() > 0 && Date.now() < end;) await sleep(200)
  for (const stream of open) stream.end()
  const at = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    p50Ms: at(delays, 0.5),
    p95Ms: at(delays, 0.95),
    slowestMs: at(delays, 1),
    commitP95Ms: at(commits, 0.95),
    cut,
    missing: missing(),
    doubled: all((times) => times > 1),
  }
}

/** Publishes a message like the room live does, in one transaction. */
export async function publish(db: pg.Client, n: number): Promise<void> {
  await db.query(
    `with published as (
       insert into live_events (channel, kind, data, created_at) values ($1, 'lab', jsonb_build_object('n', $2::int), now())
       returning 1)
     select pg_notify('live_events', '') from published`,
    [channel, n],
  )
}

/** Memory of each idle stream, kB. Some streams are opened and closed before, so that the process has its buffers. */
async function memoryOfIdle({ base, pid }: RunningServer, idle: number): Promise<number> {
  const openSome = async (streams: number) => {
    const open: Stream[] = []
    for (let from = 0; from < streams; from += wave) {
      const some = Array.from({ length: Math.min(wave, streams - from) }, () => openStream(base, {}))
      open.push(...(await Promise.all(some)))
    }
    return open
  }
  for (const stream of await openSome(Math.ceil(idle / 10))) stream.end()
  await sleep(settleMs)
  const before = residentMb(pid)
  const open = await openSome(idle)
  await sleep(settleMs)
  const kbEach = ((residentMb(pid) - before) * 1024) / idle
  for (const stream of open) stream.end()
  return kbEach
}

export interface Stream {
  lastId: string | null
  end(): void
}

/**
 * Opens a stream; resolves at its first message. `from`: IP address of the visitor, for an app behind a trusted proxy. `cut` is called when
 * the stream ends by itself.
 */
export async function openStream(
  base: string,
  {
    onMessage = () => {},
    cut = () => {},
    lastId = null,
    from = null,
  }: {
    onMessage?: (n: number) => void
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
        for (const change of JSON.parse(data!) as { data: { n: number } }[]) onMessage(change.data.n)
    }
  })
  await hasBegun
  return stream
}
