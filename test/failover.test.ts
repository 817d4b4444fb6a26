import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn, type AppOn } from './app-on.ts'
import { addBusiness, addDeal } from './cast.ts'
import { goodPassword, post } from './people.ts'
import {
  caughtUp,
  cutOff,
  promote,
  startForwarder,
  startOwnPostgres,
  startStandby,
  type OwnPostgres,
} from './postgres-pair.ts'
import { api } from './start-app.ts'
import { openStream } from './streams.ts'

// whole servers that start, stop and are waited for
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let primary: OwnPostgres
let standby: OwnPostgres
let forwarder: Awaited<ReturnType<typeof startForwarder>>
let app: AppOn
let deal: string
beforeAll(async () => {
  primary = await startOwnPostgres()
  forwarder = await startForwarder(primary)
  app = await startAppOn(forwarder.url, { env: { REQUESTS_PER_SECOND: '100000' } })
  deal = await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Coffee')
  standby = await startStandby(primary, { synchronous: false })
})
afterAll(async () => {
  await app.close()
  await forwarder.close()
  await standby.stop()
  await primary.stop()
})

/** Until the app has noticed to which server its address leads now. */
const isWell = () =>
  vi.waitFor(async () => expect((await api(app, '/api/deals?limit=1')).status).toBe(200), { timeout: 90_000 })
const namesIn = async (path: string) =>
  ((await api(app, path)).body as { deal_name: string }[]).map(({ deal_name }) => deal_name)

it('on a standby no route answers 500: what can be read is, and all else says 503 and when to come again, logins too', async () => {
  const email = 'lena@example.org'
  const signedUp = { display_name: 'Lena', email, password: goodPassword, accepts_terms: true }
  expect((await post(app, '/api/auth/signup', signedUp)).status).toBe(201)
  const { authToken, refreshToken } = (await post(app, '/api/auth/login', { email, password: goodPassword })).body
  await caughtUp(standby, primary)
  forwarder.leadTo(standby)
  onTestFinished(async () => {
    forwarder.leadTo(primary)
    await isWell()
  })
  await isWell()
  // has what every endpoint asks for; each ignores the rest
  const body = {
    ...signedUp,
    business_name: 'Bar Nord',
    new_password: `${goodPassword}!`,
    token: 'x'.repeat(43),
    code: 'x'.repeat(43),
    refreshToken,
    totp: '123456',
    name: 'Lena',
    topic: 'visitor',
    message: 'Lost and found?',
    language: 'en',
  }
  const statuses: Record<string, number> = {}
  for (const { endpoint } of app.app.operations) {
    const path = endpoint.path.replace(/\{\w+\}/g, deal)
    const { status, headers } = await fetch(app.url + path, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${authToken}`,
        ...(endpoint.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(endpoint.body ? { body: JSON.stringify(body) } : {}),
    })
    const name = `${endpoint.method} ${endpoint.path}`
    statuses[name] = status
    if (status >= 500) expect([status, Number(headers.get('retry-after')) > 0], name).toEqual([503, true])
  }
  expect(statuses).toMatchObject({
    'GET /api/deals/search': 200,
    'GET /api/me': 200,
    'POST /api/auth/login': 503,
    'POST /api/business/login': 503,
    'POST /api/auth/signup': 503,
    'POST /api/contact': 503,
    'PUT /api/deals/{deal_id}/view': 503,
  })
})

it('what a primary said and lost with its death is never shown again, and streams hear all that its standby tells, even where its standby gives the same number to another change', async () => {
  const lists = ['/api/deals?limit=5', '/api/deals/search?limit=5']
  const rename = async (server: OwnPostgres, name: string) => {
    const [row] = await server.sql<{ xmin: string }>(
      'update deals set deal_name = $1 where deal_id = $2 returning xmin::text',
      [name, deal],
    )
    return Number(row!.xmin)
  }
  const tell = (server: OwnPostgres, n: number) =>
    server.sql(
      `with told as (insert into live_events (channel, kind, data, created_at)
         values ('urgent', 'urgent-changed', $1::jsonb, now()) returning 1)
       select pg_notify('live_events', '') from told`,
      [{ n }],
    )
  const stream = await openStream(app, 'urgent')
  const hears = (...expected: number[]) =>
    vi.waitFor(() => expect(stream.changes().map(({ data }) => data['n'])).toEqual(expected), 90_000)
  await tell(primary, 1)
  await hears(1)
  const lastEventId = stream.messages.at(-1)!.id
  await caughtUp(standby, primary)
  await cutOff(standby, primary)
  await tell(primary, 2)
  await hears(1, 2)
  const lost = await rename(primary, 'Was lost')
  for (const path of lists) expect(await namesIn(path)).toEqual(['Was lost'])
  forwarder.leadTo(null)
  await primary.kill()
  await promote(standby)
  await tell(standby, 3)
  let written = 0
  while (written < lost) written = await rename(standby, 'Is true')
  expect(written).toBe(lost)
  forwarder.leadTo(standby)
  await isWell()
  for (const path of lists) expect(await namesIn(path)).toEqual(['Is true'])
  await hears(1, 2, 3)
  await tell(standby, 4)
  await hears(1, 2, 3, 4)
  // which primary's 3 is meant nobody knows: it is told to ask anew
  const back = await openStream(app, 'urgent', { lastEventId })
  expect(back.messages[0]).toMatchObject({ event: 'reset' })
  await vi.waitFor(
    async () => {
      const written = await sql`update deals set updated_at = updated_at`.execute(app.db).catch(() => null)
      expect(written).not.toBeNull()
    },
    { timeout: 90_000 },
  )
})
