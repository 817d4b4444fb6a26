import { setTimeout as sleep } from 'node:timers/promises'
import { openStream, publish, type Stream } from '../streams.ts'
import { faults } from './faults.ts'
import type { Cluster } from './site.ts'
import { until } from './until.ts'

/** Streams opened at once. */
const wave = 50
const pauseMs = 500
/** Messages after the cluster has recovered. */
const lastOnes = 10

/** Messages that reached `streams` open streams while the primary's machine was killed. */
export interface Resumed {
  streams: number
  /** Acknowledged messages. */
  acknowledged: number
  /** Messages that were not acknowledged: they may arrive or not, but not twice. */
  unsure: number
  /** Streams that ended and were opened again. */
  cut: number
  missing: number
  doubled: number
}

/** Publishes two messages per second to streams at both proxies, while the primary's machine is killed. */
export async function measureStreamsThroughFailover(cluster: Cluster, streams: number): Promise<Resumed> {
  const bases = cluster.apps.map(({ base }) => base)
  const received = Array.from({ length: streams }, () => new Map<number, number>())
  const open: Stream[] = []
  let cut = 0
  let isOver = false
  const openOne = async (which: number, lastId: string | null = null): Promise<void> => {
    const onMessage = (n: number) => void received[which]!.set(n, (received[which]!.get(n) ?? 0) + 1)
    const again = () => {
      cut++
      // like a browser
      setTimeout(() => void retried(which, open[which]!.lastId), 1000)
    }
    open[which] = await openStream(bases[which % bases.length]!, {
      onMessage,
      cut: again,
      lastId,
      from: `198.18.${which >> 8}.${which & 255}`,
    })
    if (isOver) open[which].end()
  }
  const retried = async (which: number, lastId: string | null): Promise<void> => {
    while (!isOver)
      try {
        return await openOne(which, lastId)
      } catch {
        await sleep(1000)
      }
  }
  for (let from = 0; from < streams; from += wave)
    await Promise.all(Array.from({ length: Math.min(wave, streams - from) }, (_, n) => openOne(from + n)))

  const acknowledged: number[] = []
  const unsure: number[] = []
  let isPublishing = true
  const publishing = (async () => {
    for (let n = 0; isPublishing; n++) {
      try {
        await publishOnce(cluster, n)
        acknowledged.push(n)
      } catch {
        unsure.push(n)
      }
      await sleep(pauseMs)
    }
  })()
  await sleep(3000)
  await faults.find(({ name }) => name === 'primary-killed')!.run(cluster)
  await cluster.becomesWhole()
  await sleep(lastOnes * pauseMs)
  isPublishing = false
  await publishing
  const missing = () => received.reduce((sum, each) => sum + acknowledged.filter((n) => !each.has(n)).length, 0)
  await until('every message', async () => missing() === 0).catch(() => {})
  isOver = true
  for (const stream of open) stream.end()
  const doubled = received.reduce((sum, each) => sum + [...each.values()].filter((times) => times > 1).length, 0)
  return { streams, acknowledged: acknowledged.length, unsure: unsure.length, cut, missing: missing(), doubled }
}

async function publishOnce(cluster: Cluster, n: number): Promise<void> {
  const { address } = await cluster.primary()
  const db = cluster.superuser(address, 'rheinklang', { query_timeout: 4000 })
  await db.connect()
  try {
    await publish(db, n)
  } finally {
    await db.end().catch(() => {})
  }
}
