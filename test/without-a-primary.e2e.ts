import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase, whileReading } from '../src/kit/server/database.ts'
import { startAppOn, type AppOn } from './app-on.ts'
import { builtPages } from './built-pages.ts'
import { addDeal } from './cast.ts'
import { caughtUp, startForwarder, startOwnPostgres, startStandby, type OwnPostgres } from './postgres-pair.ts'
import { api } from './start-app.ts'
import { allReads, fillWholeTown, isAnswered, pagesToRead, type ReadCase, type WholeTown } from './whole-town.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const fewAtOnce = 6

let primary: OwnPostgres
let standbys: [OwnPostgres, OwnPostgres]
let forwarder: Awaited<ReturnType<typeof startForwarder>>
let app: AppOn
let town: WholeTown
beforeAll(async () => {
  primary = await startOwnPostgres()
  // its start creates the schema
  await (await startAppOn(primary.url)).close()
  standbys = [await startStandby(primary, { synchronous: false }), await startStandby(primary, { synchronous: false })]
  forwarder = await startForwarder(primary)
  app = await startAppOn(forwarder.url, {
    env: { REQUESTS_PER_SECOND: '100000', DATABASE_READ_URL: standbys.map(({ url }) => url).join(' ') },
    pages: await builtPages(),
  })
  town = await fillWholeTown(app)
  await bothAreRead()
})
afterAll(async () => {
  await app.close()
  await forwarder.close()
  for (const standby of standbys) await standby.stop()
  await primary.stop()
})

/** Server that reads which may lag go to now, by its start time; null: the primary. */
const readFrom = () =>
  whileReading(
    async () => {
      const { rows } = await sql<{ started: string | null }>`
        select case when pg_is_in_recovery() then pg_postmaster_start_time()::text end as started`.execute(app.db)
      return rows[0]!.started
    },
    { mayLag: true },
  )
/** Waits until reads go to both replicas in turn, and both have all writes. */
async function bothAreRead() {
  const started: { at: string }[] = []
  for (const standby of standbys) {
    await caughtUp(standby, primary)
    started.push(...(await standby.sql<{ at: string }>('select pg_postmaster_start_time()::text as at')))
  }
  await vi.waitFor(async () => {
    const asked = new Set([await readFrom(), await readFrom(), await readFrom()])
    expect(asked).toEqual(new Set(started.map(({ at }) => at)))
  }, 90_000)
}

it('a read that a replica cancels for its replay is answered by the primary', async () => {
  await primary.sql(`
    create function in_the_way_of_a_replay() returns text language plpgsql as $$ begin
      if pg_is_in_recovery() then raise exception 'in the way' using errcode = '40001'; end if;
      return 'from the primary';
    end $$`)
  await bothAreRead()
  const read = () => sql<{ place: string }>`select in_the_way_of_a_replay() as place`.execute(app.db)
  await expect(whileReading(read, { mayLag: true })).resolves.toMatchObject({ rows: [{ place: 'from the primary' }] })
})

it('a read never goes to the same replica twice, even if a check finds it fresh meanwhile', async () => {
  await primary.sql(`
    create function on_a_replica() returns text language plpgsql as $$ begin
      if pg_is_in_recovery() then raise exception 'in the way' using errcode = '40001'; end if;
      return 'from the primary';
    end $$`)
  await bothAreRead()
  // between two marks after the failure, all replicas were checked once
  const afterALook = async () => {
    const mark = () => primary.sql<{ at: string }>('select left_at::text as at from replication_marks')
    for (let n = 0; n < 2; n++) {
      const [before] = await mark()
      await vi.waitFor(async () => expect((await mark())[0]!.at).not.toBe(before!.at), 90_000)
    }
  }
  const read = () =>
    sql<{ place: string }>`select on_a_replica() as place`.execute(app.db).catch(async (error: unknown) => {
      await afterALook()
      throw error
    })
  await expect(whileReading(read, { mayLag: true })).resolves.toMatchObject({ rows: [{ place: 'from the primary' }] })
})

it('a list, its total and its cursor come from one replica, also if another one has other data', async () => {
  await bothAreRead()
  // without new marks both replicas stay fresh
  forwarder.leadTo(null)
  for (const standby of standbys) await caughtUp(standby, primary)
  await standbys[1].sql('select pg_wal_replay_pause()')
  onTestFinished(async () => {
    await standbys[1].sql('select pg_wal_replay_resume()')
    forwarder.leadTo(primary)
    await bothAreRead()
  })
  const direct = openDatabase({ connectionString: primary.url })
  onTestFinished(() => direct.db.destroy())
  for (const name of ['Tea', 'Cake', 'Soup']) await addDeal(direct.db, town.ids['business_id']!, name)
  await caughtUp(standbys[0], primary)

  const ask = async (path: string) => {
    const { status, body, headers } = await api(app, path)
    const total = Number(headers.get('x-total-count'))
    return { status, total, listed: (body as unknown[]).length, goesOn: headers.get('link') !== null }
  }
  const answers: (Awaited<ReturnType<typeof ask>> & { most: number })[] = []
  for (let n = 0; n < 20; n++)
    for (const list of ['/api/deals', '/api/deals/search'])
      // as many rows as the older replica has, and more than both have
      for (const most of [1, 50]) answers.push({ most, ...(await ask(`${list}?limit=${most}&n=${n}`)) })
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 200,
      listed: Math.min(answer.most, answer.total),
      goesOn: answer.total > answer.most,
    })
  // proves that both states were read
  expect(new Set(answers.map(({ total }) => total))).toEqual(new Set([1, 4]))
})

it('when the primary dies, all reads and pages give the same answers as before, and writes get 503', async () => {
  const reads = allReads(app.app.operations, town)
  const pages = pagesToRead(town)
  const ask = async ({ path, token, query = '' }: ReadCase & { query?: string }) => {
    const answer = await fetch(app.url + path + (query && `${path.includes('?') ? '&' : '?'}${query}`), {
      redirect: 'manual',
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
    await answer.arrayBuffer()
    // a cached page would not prove that replicas work
    const isCached = answer.headers.has('age')
    return `${answer.status}${isCached ? ' cached' : ''} ${path}${token ? ' with a token' : ''}`
  }
  let rounds = 0
  const askAll = async () => {
    const round = `round=${rounds++}`
    const statuses: string[] = []
    // a few at a time, as each page is rendered anew
    const all = [...reads, ...pages.map((page) => ({ ...page, query: round }))]
    for (let from = 0; from < all.length; from += fewAtOnce)
      statuses.push(...(await Promise.all(all.slice(from, from + fewAtOnce).map((each) => ask(each)))))
    return statuses
  }
  const before = await askAll()
  expect(before.filter((each) => !isAnswered(Number(each.slice(0, 3)), each))).toEqual([])
  expect(before.length).toBeGreaterThan(80)
  await bothAreRead()

  await primary.kill()
  for (let n = 0; n < 3; n++) expect(await askAll()).toEqual(before)
  const refused = await api(app, '/api/newsletter', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nora@example.org', language: 'en' }),
  })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
})
