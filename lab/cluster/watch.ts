import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './site.ts'

/** Checks four times per second, without proxies and poolers, whether any server takes writes. */
export interface Watch {
  /** Times without such a server, ms of `performance.now()`, from the last successful check to the next one. */
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
  const watching = (async () => {
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
      await watching
    },
  }
}

/** True where a commit succeeds within a second, without a warning. */
async function commits(cluster: Cluster, address: string): Promise<boolean> {
  const client = cluster.superuser(address, 'rheinklang', {
    connectionTimeoutMillis: 700,
    query_timeout: 1000,
    options: '-c statement_timeout=900',
  })
  // a commit whose wait for a standby was cancelled gives a warning
  let warned = false
  client.on('notice', () => (warned = true))
  try {
    await client.connect()
    await client.query('insert into lab_looks values (now())')
    return !warned
  } catch {
    return false
  } finally {
    // not awaited: a server that hangs does not close the connection
    void client.end().catch(() => {})
  }
}
