import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  promote,
  startForwarder,
  startOwnPostgres,
  startStandby,
  waitForCommits,
  type OwnPostgres,
} from './postgres-pair.ts'
import { builtServer, startServer, type RunningServer } from './built-server.ts'
import { startLoad, type LoadRequest } from './load.ts'

// Effects of a waiting database and of a failover on visitors, with 20 writes and 20 reads per second over two instances.

export interface Stall {
  reads: number
  failedReads: number
  writes: number
  /** Answers by status; 0: the connection was cut. */
  statuses: Record<number, number>
  slowestWriteMs: number
  slowestReadMs: number
  mostConnections: number
  /** Time from the end of the stall until both instances write and read again. */
  wellAfterMs: number
}

export interface Failovers {
  episodes: number
  acknowledged: number
  lost: number
  fiveHundreds: number
  /** Lists that differ from the database afterwards. */
  differentLists: number
  slowestGapMs: number
}

/** Lets commits wait for a standby that does not exist. */
export async function measureStall(seconds: number): Promise<Stall> {
  const postgres = await startOwnPostgres()
  const site = await twoInstances(postgres.url)
  try {
    await site.warmUp()
    const load = await startLoad(site.bases)
    await sleep(3000)
    load.forget()
    await waitForCommits(postgres, 'nobody')
    let mostConnections = 0
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      const [row] = await postgres.sql<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
      mostConnections = Math.max(mostConnections, row!.count)
      await sleep(250)
    }
    const asked = await load.stop()
    await waitForCommits(postgres, null)
    const ended = performance.now()
    for (const base of site.bases) while (!(await isWell(base))) await sleep(20)
    const wellAfterMs = performance.now() - ended
    const writes = asked.filter(({ isWrite }) => isWrite)
    const reads = asked.filter(({ isWrite }) => !isWrite)
    return {
      reads: reads.length,
      failedReads: reads.filter(({ status }) => status !== 200).length,
      writes: writes.length,
      statuses: counts(writes.map(({ status }) => status)),
      slowestWriteMs: slowest(writes),
      slowestReadMs: slowest(reads),
      mostConnections,
      wellAfterMs,
    }
  } finally {
    await site.stop()
    await postgres.stop()
  }
}

/** Kills a primary; its synchronous standby takes over and gets a new standby. */
export async function measureFailovers(episodes: number): Promise<Failovers> {
  let primary = await startOwnPostgres()
  const forwarder = await startForwarder(primary)
  const site = await twoInstances(forwarder.url)
  const result = { episodes, acknowledged: 0, lost: 0, fiveHundreds: 0, differentLists: 0, slowestGapMs: 0 }
  try {
    await site.warmUp()
    for (let episode = 0; episode < episodes; episode++) {
      const standby = await startStandby(primary, { synchronous: true })
      const load = await startLoad(site.bases)
      const renaming = renameDeals(forwarder.url)
      await sleep(2000 + Math.random() * 1000)
      const killed = performance.now()
      await primary.kill()
      forwarder.leadTo(null)
      await promote(standby)
      forwarder.leadTo(standby)
      for (const base of site.bases) while (!(await isWell(base))) await sleep(20)
      result.slowestGapMs = Math.max(result.slowestGapMs, performance.now() - killed)
      await sleep(1000)
      const requests = await load.stop()
      await renaming.stop()
      const proofs = requests.flatMap(({ proof }) => (proof === null ? [] : [proof]))
      const there = new Set(
        (
          await standby.sql<{ proof: string }>(
            `select ticket as proof from contact_messages union all select email_folded from accounts
            union all select email_folded from newsletter_subscribers
            -- until its mail is sent, a newsletter subscription is stored only as that mail
            union all select email from outgoing_mails`,
          )
        ).map(({ proof }) => proof),
      )
      result.acknowledged += proofs.length
      result.lost += proofs.filter((proof) => !there.has(proof)).length
      result.fiveHundreds += requests.filter(({ status }) => status >= 500 && status !== 503).length
      result.differentLists += await differentLists(site.bases, standby)
      await primary.stop()
      primary = standby
    }
    return result
  } finally {
    await site.stop()
    await forwarder.close()
    await primary.stop()
  }
}

async function twoInstances(databaseUrl: string) {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'rheinklang-outages-')))
  const servers: RunningServer[] = []
  for (const folder of folders)
    servers.push(
      await startServer(
        builtServer,
        {
          DATABASE_URL: databaseUrl,
          DATA_DIR: folder,
          DEMO_DATA: 'on',
          TRUST_PROXY: 'on',
          LOG_LEVEL: 'silent',
          SECRET_KEY: 'the same on both instances, for this measurement',
        },
        { probe: '/readyz' },
      ),
    )
  return {
    bases: servers.map(({ base }) => base),
    /** Warms up code and query plans. */
    async warmUp() {
      for (const { base } of servers) for (const path of readPaths) await (await fetch(base + path)).arrayBuffer()
    },
    async stop() {
      for (const server of servers) await server.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const readPaths = ['/api/deals/search?limit=20', '/api/deals?limit=20', '/deals', '/business', '/api/business?limit=20']
let made = 0

/** Renames deals all the time, directly in the database. */
function renameDeals(url: string) {
  let going = true
  const done = (async () => {
    const { default: pg } = await import('pg')
    while (going) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 2000 })
      client.on('error', () => {})
      try {
        await client.connect()
        while (going)
          await client.query(
            `update deals set deal_name = 'Deal ' || clock_timestamp() where deal_id in
              (select deal_id from deals order by created_at desc, deal_id desc limit 20)`,
          )
      } catch {
        await sleep(50)
      } finally {
        await client.end().catch(() => {})
      }
    }
  })()
  return { stop: () => ((going = false), done) }
}

async function differentLists(bases: string[], server: OwnPostgres): Promise<number> {
  const names = new Map(
    (await server.sql<{ deal_id: string; deal_name: string }>('select deal_id, deal_name from deals')).map(
      ({ deal_id, deal_name }) => [deal_id, deal_name],
    ),
  )
  let different = 0
  for (const base of bases)
    for (const path of ['/api/deals?limit=50', '/api/deals/search?limit=50']) {
      const listed = (await (await fetch(base + path)).json()) as { deal_id: string; deal_name: string }[]
      if (listed.some(({ deal_id, deal_name }) => names.get(deal_id) !== deal_name)) different++
    }
  return different
}

async function isWell(base: string): Promise<boolean> {
  const body = JSON.stringify({ email: `well${made++}@example.org`, language: 'en' })
  const answers = await Promise.all([
    fetch(`${base}/api/deals?limit=1`),
    fetch(`${base}/api/newsletter`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.${(made >> 8) & 255}.${made & 255}` },
    }),
  ]).catch(() => [])
  for (const answer of answers) await answer.arrayBuffer()
  return answers.length === 2 && answers.every(({ ok }) => ok)
}

const slowest = (asked: LoadRequest[]) => Math.max(0, ...asked.map(({ beganAt, endedAt }) => endedAt - beganAt))
const counts = (statuses: number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, (each) => each)].map(([status, all]) => [status, all.length]))
