import { setTimeout as sleep } from 'node:timers/promises'
import { builtServer, startServer } from '../test/built-server.ts'
import type { Checkout } from './checkouts.ts'
import { temporaryFolder } from './folder.ts'
import { residentMb } from './load.ts'
import { median, plain, seconds, type Row } from './report.ts'

/** P7 idle, and P8, with the embedded database and the demo. */
export async function startRows(checkouts: Checkout[]): Promise<Row[]> {
  const found = []
  for (const { root } of checkouts) found.push(await measureStart(root))
  const [ours, before] = found as [Started, Started?]
  const row = (what: string, of: (started: Started) => string, bar: string, met: boolean) => ({
    ...plain(what, of(ours), bar, met),
    beside: before ? of(before) : '',
  })
  return [
    row('P8 start in an empty folder', ({ emptyMs }) => seconds(emptyMs), '≤ 6 s', ours.emptyMs <= 6000),
    row('P8 start again, median of five', ({ warmMs }) => seconds(warmMs), '≤ 2 s', ours.warmMs <= 2000),
    row('P7 memory, idle', ({ idleMb }) => `${idleMb.toFixed(0)} MB`, '≤ 180 MB', ours.idleMb <= 180),
  ]
}

type Started = Awaited<ReturnType<typeof measureStart>>

async function measureStart(root: string) {
  using folder = temporaryFolder()
  const env = { DATA_DIR: folder.path, DATABASE_URL: '' }
  const times: number[] = []
  for (let n = 0; n < 6; n++) {
    await using app = await startServer(builtServer, env, { probe: '/healthz', cwd: root })
    times.push(app.startMs)
  }
  await using app = await startServer(builtServer, env, { probe: '/readyz', cwd: root })
  await sleep(10_000)
  return { emptyMs: times[0]!, warmMs: median(times.slice(1)), idleMb: residentMb(app.pid) }
}
