import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../src/kit/server/database.ts'
import { startAppOn } from './app-on.ts'
import { startForwarder, startOwnPostgres, type OwnPostgres } from './postgres-pair.ts'
import { builtPages } from './built-pages.ts'

// whole servers that start, stop and are waited for
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** Nobody gets in any more, and who is in is put out. */
async function shut(postgres: OwnPostgres) {
  await postgres.sql('alter role rheinklang connection limit 0')
  await postgres.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rheinklang'")
}

it('at the connection limit of the database pages of the last minute are answered with their age, all else says 503, and all is well when there are connections again', async () => {
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
  const kept = await vi.waitFor(async () => {
    const answer = await ask('/deals')
    expect(answer.age).not.toBeNull()
    return answer
  }, 20_000)
  expect(kept.status).toBe(200)
  expect(Number(kept.age)).toBeLessThanOrEqual(60)
  expect(kept.cache).toMatch(/^rheinklang; hit; ttl=-?\d+; detail=unavailable$/)
  expect(titleIn(kept.html)).toBe(titleIn(fresh.html))
  for (const path of ['/business', '/api/deals']) {
    const answer = await ask(path)
    expect(answer.status, path).toBe(503)
    expect(Number(answer.after), path).toBeGreaterThan(0)
  }
  await postgres.sql('alter role rheinklang connection limit -1')
  await vi.waitFor(async () => expect(await ask('/deals')).toMatchObject({ status: 200, age: null }), 90_000)
})

it('a request at the connection limit looks for a free connection several times before it is refused', async () => {
  const postgres = await startOwnPostgres()
  const forwarder = await startForwarder(postgres)
  const { db, pool } = openDatabase({ connectionString: forwarder.url })
  onTestFinished(async () => {
    await db.destroy()
    await forwarder.close()
    await postgres.stop()
  })
  await shut(postgres)
  await expect(pool.connect()).rejects.toMatchObject({ code: '53300' })
  expect(forwarder.asked()).toBeGreaterThan(1)
})
