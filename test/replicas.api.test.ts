import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn, type AppOn } from './app-on.ts'
import { addBusiness, addDeal } from './cast.ts'
import { askDoctor } from './doctor.ts'
import { get, goodPassword, post } from './people.ts'
import { caughtUp, startForwarder, startOwnPostgres, startStandby, type OwnPostgres } from './postgres-pair.ts'
import { api } from './start-app.ts'
import { openStream } from './streams.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let primary: OwnPostgres
let standby: OwnPostgres
/** Address of the primary, which a test may cut off. */
let forwarder: Awaited<ReturnType<typeof startForwarder>>
/** Another address of the standby, which the app takes for a second replica. */
let second: Awaited<ReturnType<typeof startForwarder>>
let app: AppOn
let deal: string
beforeAll(async () => {
  primary = await startOwnPostgres()
  // its start creates the schema
  await (await startAppOn(primary.url)).close()
  standby = await startStandby(primary, { synchronous: false })
  forwarder = await startForwarder(primary)
  second = await startForwarder(standby)
  app = await startAppOn(forwarder.url, {
    env: {
      REQUESTS_PER_SECOND: '100000',
      DATABASE_READ_URL: `${standby.url} ${second.url}`,
      DATABASE_DIRECT_URL: primary.url,
    },
  })
  deal = await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Coffee')
  await caughtUp(standby, primary)
})
afterAll(async () => {
  await app.close()
  await forwarder.close()
  await second.close()
  await standby.stop()
  await primary.stop()
})

const item = (headers: Record<string, string> = {}) => fetch(`${app.url}/api/deals/${deal}`, { headers })
const nameSeen = async (headers?: Record<string, string>) =>
  ((await (await item(headers)).json()) as { deal_name: string }).deal_name
const rename = (name: string) =>
  primary.sql('update deals set deal_name = $1, updated_at = now() where deal_id = $2', [name, deal])
const eventually = (expected: string) => vi.waitFor(async () => expect(await nameSeen()).toBe(expected), 90_000)
/** Number of reading statements of the app on the standby. */
const askedOfStandby = async () => {
  const [row] = await standby.sql<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where application_name = 'rheinklang reading' and query <> '' and query not ilike '%replication_marks%'`,
  )
  return row!.n
}
/** Lets the replica fall behind until the test ends. */
async function holdReplay() {
  await standby.sql('select pg_wal_replay_pause()')
  onTestFinished(async () => {
    await standby.sql('select pg_wal_replay_resume()')
    await caughtUp(standby, primary)
  })
}

it('guests read from a replica, and people who have just changed something read from the primary', async () => {
  await vi.waitFor(async () => {
    await item()
    expect(await askedOfStandby()).toBeGreaterThan(0)
  }, 90_000)
  const sent = await post(app, '/api/newsletter', { email: 'nora@example.org', language: 'en' })
  expect(sent.status).toBe(202)
  const mark = /changed=[^;]+/.exec(sent.headers.get('set-cookie') ?? '')![0]

  await holdReplay()
  await rename('Espresso')
  // until the replica is known to lag, guests may see the old state
  expect(await nameSeen({ cookie: mark })).toBe('Espresso')
})

it('after a counted view reads still go to a replica', async () => {
  const views = await fetch(`${app.url}/api/deals/${deal}/view`, { method: 'PUT' })
  expect([views.status, views.headers.get('set-cookie')]).toEqual([204, null])
})

it('a replica that lags is not used until it has caught up', async () => {
  await holdReplay()
  await rename('Cortado')
  await eventually('Cortado')
  // several times, as replicas are used in turn
  for (let n = 0; n < 10; n++) expect(await nameSeen()).toBe('Cortado')
})

const doctor = (readUrl = '', more: Record<string, string> = {}) =>
  askDoctor({ DATA_DIR: app.dataDir, DATABASE_URL: primary.url, DATABASE_READ_URL: readUrl, ...more })

it('the doctor checks that each replica can be read', async () => {
  const stdout = await doctor(`${standby.url} postgres://127.0.0.1:1/x`)
  expect(stdout, stdout).toContain('✓ The database takes writes')
  expect(stdout).toMatch(/✓ Replica 1 is \d+ ms behind/)
  expect(stdout).toMatch(/✗ Replica 2: .*ECONNREFUSED/)
  expect(await doctor(primary.url)).toContain('✓ Replica 1 is the primary itself')
  await holdReplay()
  expect(await doctor(standby.url)).toContain('✗ Replica 1 is more than 2500 ms behind')
})

it('the doctor names an unreachable database once', async () => {
  const output = await askDoctor({ DATA_DIR: app.dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/x' })
  expect(output.match(/ECONNREFUSED/g), output).toHaveLength(1)
})

it('the doctor recognises a replica of another database, also with a role that may not read the system’s id', async () => {
  // its database has the same name and oid
  const other = await startOwnPostgres()
  onTestFinished(() => other.stop())
  await (await startAppOn(other.url)).close()
  const [role] = await primary.sql<{ rolsuper: boolean }>("select rolsuper from pg_roles where rolname = 'rheinklang'")
  expect(role).toEqual({ rolsuper: false })
  expect(await doctor(`${standby.url} ${other.url}`)).toMatch(
    /✓ Replica 1 is \d+ ms behind\n✗ Replica 2 follows another database than DATABASE_URL/,
  )

  const may = (what: string) => `${what} execute on function pg_control_system()`
  for (const server of [primary, other]) await server.sql(`${may('revoke')} from public`)
  onTestFinished(async () => void (await primary.sql(`${may('grant')} to public`)))
  await caughtUp(standby, primary)
  expect(await doctor(`${standby.url} ${primary.url} ${other.url}`)).toMatch(
    /✓ Replica 1 is \d+ ms behind\n✓ Replica 2 is the primary itself\n✗ Replica 3 takes writes of its own/,
  )
})

it('the doctor reports the difference between the clocks of this machine and each server', async () => {
  const ahead = 'data:text/javascript,const now = Date.now; Date.now = () => now() + 5000'
  const stdout = await doctor(standby.url, { NODE_OPTIONS: `--import=${ahead.replaceAll(' ', '%20')}` })
  for (const name of ['DATABASE_URL', 'Replica 1'])
    expect(stdout).toMatch(new RegExp(`✗ ${name}: its clock and this machine's are (5|5\\.\\d|4\\.\\d) s apart`))
})

it('the doctor warns when several versions run on the database', async () => {
  expect(await doctor()).toMatch(/✓ Instances that run now, by version: ([0-9a-f]{8}|unbuilt) on \S+\n/)
  const old = new pg.Client({ connectionString: primary.url, application_name: 'rheinklang 00000000 app9' })
  await old.connect()
  onTestFinished(() => old.end())
  await old.query('select 1')
  expect(await doctor()).toMatch(/✗ Instances that run now, by version: 00000000 on app9; /)
})

it('without a primary every read is answered from a replica, also for logged-in people, and writes get 503', async () => {
  const email = 'lena@example.org'
  const signedUp = { display_name: 'Lena', email, password: goodPassword, accepts_terms: true }
  expect((await post(app, '/api/auth/signup', signedUp)).status).toBe(201)
  const { authToken } = (await post(app, '/api/auth/login', { email, password: goodPassword })).body
  await caughtUp(standby, primary)
  // waits until the replica that lagged in an earlier test is used again
  await vi.waitFor(async () => {
    await item()
    expect(await askedOfStandby()).toBeGreaterThan(0)
  }, 90_000)
  forwarder.leadTo(null)
  onTestFinished(async () => {
    forwarder.leadTo(primary)
    await vi.waitFor(
      async () =>
        expect((await post(app, '/api/newsletter', { email: 'a@example.org', language: 'en' })).status).toBe(202),
      { timeout: 90_000, interval: 200 },
    )
  })
  for (let n = 0; n < 40; n++) {
    const [one, list, found] = await Promise.all([
      item(),
      api(app, '/api/deals?limit=5'),
      api(app, `/api/deals/search?limit=5&q=${n}`),
    ])
    expect([one.status, list.status, found.status]).toEqual([200, 200, 200])
  }
  expect((await get(app, '/api/me', authToken)).status).toBe(200)
  const refused = await post(app, '/api/newsletter', { email: 'b@example.org', language: 'en' })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
})

it('live updates go on by the direct address while DATABASE_URL cannot be reached', async () => {
  const stream = await openStream(app, 'urgent')
  forwarder.leadTo(null)
  onTestFinished(async () => {
    forwarder.leadTo(primary)
    await vi.waitFor(
      async () =>
        expect((await post(app, '/api/newsletter', { email: 'c@example.org', language: 'en' })).status).toBe(202),
      { timeout: 90_000, interval: 200 },
    )
  })
  await primary.sql(
    `with published as (insert into live_events (channel, kind, data, created_at)
       values ('urgent', 'urgent-changed', '{"n": 1}', now()) returning 1)
     select pg_notify('live_events', '') from published`,
  )
  await vi.waitFor(() => expect(stream.changes()).toMatchObject([{ data: { n: 1 } }]), 90_000)
})

it('when the primary and one replica fail together, every read is answered by the other replica', async () => {
  // waits until it is known to be fresh, with new connections
  const before = second.asked()
  second.leadTo(standby)
  await vi.waitFor(() => expect(second.asked()).toBeGreaterThan(before), 90_000)
  await vi.waitFor(async () => {
    await item()
    expect(await askedOfStandby()).toBeGreaterThan(0)
  }, 90_000)
  second.leadTo(null)
  forwarder.leadTo(null)
  onTestFinished(async () => {
    second.leadTo(standby)
    forwarder.leadTo(primary)
    await vi.waitFor(async () => expect((await item()).status).toBe(200), 90_000)
  })
  const answers = await Promise.all(Array.from({ length: 12 }, () => item()))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
})

it('when a replica dies the primary answers, and no read fails', async () => {
  await standby.kill()
  for (let n = 0; n < 20; n++) expect((await item()).status).toBe(200)
})
