import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { residentMb } from './load.ts'
import type { RunningServer } from './servers.ts'

export interface Overload {
  /** Statuses other than 200, 429 and 503, and answers that never came. */
  strange: number
  refused: number
  answered: number
  /** Highest resident memory of the Node process, MB. */
  peakMb: number
  /** p99 of a quiet client before, ms. */
  calmMs: number
  /** Seconds after the load until that client's p99 is back at twice the calm one; null: not within 10 s. */
  calmAgainS: number | null
}

const heaviest = '/api/deals/search?radius=50&openNow=true&q=pizza%20roesti&sort=best'

/** 500 connections on the heaviest search: the server must shed load and be itself again soon (RELIABILITY R21). */
export async function overload(app: RunningServer, seconds: number): Promise<Overload> {
  const calmMs = await quietP99(app.base)
  let peakMb = residentMb(app.pid)
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(app.pid))), 200)
  const result = await autocannon({
    url: app.base,
    connections: 500,
    duration: seconds,
    requests: [{ path: heaviest }],
  })
  clearInterval(watch)
  const ended = performance.now()
  let calmAgainS: number | null = null
  while (performance.now() - ended < 10_000) {
    if ((await quietP99(app.base)) <= Math.max(2 * calmMs, 100)) {
      calmAgainS = (performance.now() - ended) / 1000
      break
    }
    await wait(100)
  }
  const counts = Object.entries(result.statusCodeStats).map(([status, { count }]) => [Number(status), count] as const)
  const sum = (wanted: (status: number) => boolean) =>
    counts.filter(([status]) => wanted(status)).reduce((total, [, count]) => total + count, 0)
  return {
    strange: sum((status) => ![200, 429, 503].includes(status)) + result.errors,
    refused: sum((status) => status === 429 || status === 503),
    answered: sum((status) => status === 200),
    peakMb,
    calmMs,
    calmAgainS,
  }
}

/** Slowest of 100 searches one after the other (their p99), ms. */
async function quietP99(base: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 100; n++) {
    const began = performance.now()
    await (await fetch(`${base}/api/deals/search?radius=5&limit=20`)).arrayBuffer()
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[98]!
}
