import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startOwnPostgres } from '../test/postgres-pair.ts'
import { startServer, type RunningServer } from './servers.ts'

/** Answers of one kind while the database has no connection for us. */
export interface Asked {
  /** Pages that were answered before, or all else. */
  what: 'kept' | 'others'
  database: 'full' | 'away'
  asked: number
  /** 200 and with their age for `kept`; 503 with Retry-After for `others`. */
  asWished: number
  slowestMs: number
}

const rounds = 15
const everyMs = 1000

/**
 * A site whose pages were just read loses its connections (the limit of its role is 0, and who is in is put out); then the
 * database goes. For 15 s each, which is less than the minute in which a page may be stale, all pages of before and as many
 * questions that nobody asked are asked once a second.
 */
export async function measureFewConnections(): Promise<Asked[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-connections-'))
  const postgres = await startOwnPostgres()
  let app: RunningServer | null = null
  let isRunning = true
  try {
    const env = { DATABASE_URL: postgres.url, DATA_DIR: folder, DEMO_DATA: 'on' }
    app = await startServer('build/app/main.mjs', env, { probe: '/readyz', nodeArgs: ['--max-old-space-size=768'] })
    const { base } = app
    const deals = (await (await fetch(`${base}/api/deals?limit=16`)).json()) as { deal_id: string }[]
    const pages = ['/', '/deals', '/business', '/events', ...deals.map(({ deal_id }) => `/deal/${deal_id}`)]
    for (const page of pages) await (await fetch(base + page)).text()

    await postgres.sql('alter role rheinklang connection limit 0')
    await postgres.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rheinklang'")
    const full = await askAll(base, pages, 'full')
    await postgres.stop()
    isRunning = false
    return [...full, ...(await askAll(base, pages, 'away'))]
  } finally {
    await app?.stop()
    if (isRunning) await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

let nobodyAsked = 0

async function askAll(base: string, pages: string[], database: Asked['database']): Promise<Asked[]> {
  const kept: Asked = { what: 'kept', database, asked: 0, asWished: 0, slowestMs: 0 }
  const others: Asked = { what: 'others', database, asked: 0, asWished: 0, slowestMs: 0 }
  const ask = async (of: Asked, path: string, isAsWished: (answer: Response) => boolean) => {
    const began = performance.now()
    const answer = await fetch(base + path)
    await answer.arrayBuffer()
    of.asked++
    of.asWished += Number(isAsWished(answer))
    of.slowestMs = Math.max(of.slowestMs, performance.now() - began)
  }
  for (let round = 0; round < rounds; round++) {
    await Promise.all([
      ...pages.map((page) => ask(kept, page, ({ status }) => status === 200)),
      ...pages.map(() =>
        ask(
          others,
          `/api/deals?limit=5&offset=${nobodyAsked++}`,
          ({ status, headers }) => status === 503 && Number(headers.get('retry-after')) > 0,
        ),
      ),
      pause(everyMs),
    ])
  }
  return [kept, others]
}
