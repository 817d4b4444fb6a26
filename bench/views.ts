import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { cpuMsOf } from './load.ts'
import { startServer } from './servers.ts'
import { buildTown } from './town.ts'

export const connections = 32

export interface Viewing {
  viewsPerSecond: number
  p99Ms: number
  failed: number
  /** Acknowledged, and found in the database after the server was stopped by SIGTERM. */
  acknowledged: number
  counted: number
  /** Of server and database, a view. */
  cpuMs: number
  /** What a bare node:http server answers to the same on this machine, a second. */
  barePerSecond: number
}

/** One deal that a crowd opens, each visitor from an address of their own, for some seconds; one instance. */
export async function measureViews(seconds: number): Promise<Viewing> {
  const town = await buildTown(1000)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-views-'))
  const db = new pg.Client({ connectionString: town.url })
  try {
    await db.connect()
    const deal = town.sampleDealIds[0]!
    const env = { DATABASE_URL: town.url, DATA_DIR: folder, TRUST_PROXY: 'on' }
    const server = await startServer('build/app/main.mjs', env, {
      probe: '/readyz',
      nodeArgs: ['--max-old-space-size=768'],
    })
    const pids = [server.pid, town.postmaster]
    let visitor = 0
    const crowd = (url: string) =>
      autocannon({
        url,
        connections,
        duration: seconds,
        requests: [
          {
            method: 'PUT',
            path: `/api/deals/${deal}/view`,
            setupRequest: (request) => ({
              ...request,
              headers: { ...request.headers, 'x-forwarded-for': addressOf(visitor++) },
            }),
          },
        ],
      })
    const before = cpuMsOf(pids)
    const result = await crowd(server.base)
    const cpuMs = (cpuMsOf(pids) - before) / Math.max(1, result.requests.total)
    await server.stop()
    const barePerSecond = await bareViews(folder, crowd)
    const { rows } = await db.query<{ views: number }>(
      `select coalesce(sum(views), 0)::int as views from view_hours where kind = 'deal' and subject_id = $1`,
      [deal],
    )
    return {
      viewsPerSecond: result.requests.average,
      p99Ms: result.latency.p99,
      failed: result.errors + result.non2xx,
      acknowledged: result.requests.total - result.non2xx,
      counted: rows[0]!.views,
      cpuMs,
      barePerSecond,
    }
  } finally {
    await db.end()
    await town.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bareViews(folder: string, crowd: (url: string) => ReturnType<typeof autocannon>): Promise<number> {
  const work = join(folder, 'work.json')
  writeFileSync(work, JSON.stringify({ kind: 'fixed', sql: '', parameters: [], body: '' }))
  const bare = await startServer('bench/ceiling-server.ts', { WORK: work }, { probe: '/' })
  const { requests } = await crowd(bare.base)
  await bare.stop()
  return requests.average
}

const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
