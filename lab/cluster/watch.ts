import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './site.ts'

/** Whether some server takes writes, looked at four times a second past proxies and poolers. */
export interface Watch {
  /** Moments at which none did, ms of `performance.now()`, from the last look with one to the next. */
  gaps(): { from: number; to: number }[]
  takesWrites(): boolean
  stop(): Promise<void>
}

const pauseMs = 250

export async function watchPrimary(cluster: Cluster): Promise<Watch> {
  const { address } = await cluster.primary()
  await cluster.sql(address, 'create table if not exists lab_looks (at timestamptz not null)')
  let isThere = true
  let lastGoodAt = performance.now()
  const gaps: { from: number; to: number }[] = []
  let isStopped = false
  const looking = (async () => {
    while (!isStopped) {
      const good = (await Promise.all(cluster.databases.map((each) => commits(cluster, each.address)))).includes(true)
      const now = performance.now()
      if (good && !isThere) gaps.push({ from: lastGoodAt, to: now })
      if (good) lastGoodAt = now
      isThere = good
      await sleep(pauseMs)
    }
  })()
  return {
    gaps: () => [...gaps, ...(isThere ? [] : [{ from: lastGoodAt, to: Infinity }])],
    takesWrites: () => isThere,
    async stop() {
      isStopped = true
      await looking
    },
  }
}

/** A commit within a second that waited for nothing in vain. */
async function commits(cluster: Cluster, address: string): Promise<boolean> {
  const client = cluster.superuser(address, 'rheinklang', {
    connectionTimeoutMillis: 700,
    query_timeout: 1000,
    options: '-c statement_timeout=900',
  })
  // a wait for a standby that is cut short commits with a warning
  let warned = false
  client.on('notice', () => (warned = true))
  try {
    await client.connect()
    await client.query('insert into lab_looks values (now())')
    return !warned
  } catch {
    return false
  } finally {
    // one that hangs says no goodbye
    void client.end().catch(() => {})
  }
}
