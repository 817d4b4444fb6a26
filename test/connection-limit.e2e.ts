import { expect, onTestFinished, vi, it } from 'vitest'
import { openDatabase } from '../src/kit/server/database.ts'
import { startAppOn } from './app-on.ts'
import { startOwnPostgres, type OwnPostgres } from './postgres-pair.ts'
import { builtPages } from './built-pages.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** Refuses new connections and closes open ones. */
async function shut(postgres: OwnPostgres) {
  await postgres.sql('alter role rheinklang connection limit 0')
  await postgres.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rheinklang'")
}

it('at the connection limit of the database, pages of the last minute come from the cache, other requests get 503, and the app recovers', async () => {
  const postgres = await startOwnPostgres()
  const app = await startAppOn(postgres.url, { pages: await builtPages() })
  onTestFinished(async () => {
    await app.close()
    await postgres.stop()
  })
  const ask = async (path: string) => {
    const answer = await fetch(app.url + path)
    const html = await answer.text()
    const header = (name: string) => answer.headers.get(name)
    return {
      status: answer.status,
      html,
      age: header('age'),
      cache: header('cache-status'),
      after: header('retry-after'),
    }
  }
  const titleIn = (html: string) => /<title>(.*?)<\/title>/.exec(html)![1]
  const fresh = await ask('/deals')
  expect(fresh).toMatchObject({ status: 200, age: null, cache: null })
  await shut(postgres)
  const cached = await vi.waitFor(async () => {
    const answer = await ask('/deals')
    expect(answer.age).not.toBeNull()
    return answer
  }, 90_000)
  expect(cached.status).toBe(200)
  expect(Number(cached.age)).toBeLessThanOrEqual(60)
  expect(cached.cache).toMatch(/^rheinklang; hit; ttl=-?\d+; detail=unavailable$/)
  expect(titleIn(cached.html)).toBe(titleIn(fresh.html))
  for (const path of ['/business', '/api/deals']) {
    const answer = await ask(path)
    expect(answer.status, path).toBe(503)
    expect(Number(answer.after), path).toBeGreaterThan(0)
  }
  await postgres.sql('alter role rheinklang connection limit -1')
  await vi.waitFor(async () => expect(await ask('/deals')).toMatchObject({ status: 200, age: null }), 90_000)
})

it('an instance uses as many reading and writing connections as its settings say', async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  const env = { DATABASE_CONNECTIONS_READING: '3', DATABASE_CONNECTIONS_WRITING: '2', TRUST_PROXY: 'on' }
  const app = await startAppOn(postgres.url, { env })
  onTestFinished(() => app.close())
  const held = openDatabase({ connectionString: postgres.url })
  onTestFinished(() => held.db.destroy())
  const holder = await held.pool.connect()
  await holder.query('begin; lock table deals, newsletter_subscribers, outgoing_mails in access exclusive mode')
  const asked = Array.from({ length: 12 }, (_, n) => [
    fetch(`${app.url}/api/deals?limit=${n + 1}`),
    fetch(`${app.url}/api/newsletter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` },
      body: JSON.stringify({ email: `nora${n}@example.org`, language: 'en' }),
    }),
  ]).flat()
  const waiting = async () => {
    const rows = await postgres.sql<{ name: string; count: number }>(
      `select case when application_name like '%reading' then 'reading' else 'writing' end as name, count(*)::int as count
       from pg_stat_activity where wait_event_type = 'Lock' and usename = 'rheinklang' group by 1 order by 1`,
    )
    return rows.map(({ name, count }) => `${name} ${count}`)
  }
  await vi.waitFor(async () => expect(await waiting()).toEqual(['reading 3', 'writing 2']), {
    timeout: 90_000,
    interval: 10,
  })
  const [row] = await postgres.sql<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where application_name like '%reading'",
  )
  expect(row!.count).toBe(3)
  await holder.query('rollback')
  holder.release()
  await Promise.all(asked)
})
