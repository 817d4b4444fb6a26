import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { builtServer, startServer } from '../test/built-server.ts'
import { temporaryFolder } from './folder.ts'
import { residentMb } from './load.ts'
import { count, plain, seconds, type Row } from './report.ts'
import { buildTown } from './town.ts'

const heaviest = '/api/deals/search?radius=50&openNow=true&q=pizza%20roesti&sort=best'

/** R21: 500 connections on the heaviest search. The server must shed load, and recover soon after. */
export async function overloadRows(forSeconds: number): Promise<Row[]> {
  await using town = await buildTown(10_000)
  using folder = temporaryFolder()
  const env = { DATABASE_URL: town.url, DATA_DIR: folder.path }
  await using app = await startServer(builtServer, env, { probe: '/readyz' })
  const calmMs = await quietP99(app.base)
  let peakMb = residentMb(app.pid)
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(app.pid))), 200)
  const requests = [{ path: heaviest }]
  const { statusCodeStats, errors } = await autocannon({
    url: app.base,
    connections: 500,
    duration: forSeconds,
    requests,
  })
  clearInterval(watch)
  const endedAt = performance.now()
  let calmAgainMs = Number.POSITIVE_INFINITY
  while (calmAgainMs === Number.POSITIVE_INFINITY && performance.now() - endedAt < 10_000) {
    if ((await quietP99(app.base)) <= Math.max(2 * calmMs, 100)) calmAgainMs = performance.now() - endedAt
    else await sleep(100)
  }
  const answers = (...wanted: number[]) =>
    wanted.reduce((sum, status) => sum + (statusCodeStats[String(status)]?.count ?? 0), 0)
  const all = Object.values(statusCodeStats).reduce((sum, each) => sum + each.count, 0)
  const strange = all - answers(200, 429, 503) + errors
  return [
    plain(
      'R21 500 connections on the heaviest search: answers but 200, 429, 503; memory; calm again after',
      `${strange} of ${count(all)} (${count(answers(200))} × 200); ${peakMb.toFixed(0)} MB; ${seconds(calmAgainMs)}`,
      '0; ≤ 512 MB; ≤ 10 s',
      strange === 0 && peakMb <= 512 && calmAgainMs <= 10_000,
    ),
  ]
}

/** p99 of 100 searches one after the other, ms. */
async function quietP99(base: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 100; n++) {
    const began = performance.now()
    await (await fetch(`${base}/api/deals/search?radius=5&limit=20`)).arrayBuffer()
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[98]!
}
