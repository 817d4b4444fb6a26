import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn, type AppOn } from './app-on.ts'
import { builtPages } from './built-pages.ts'
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
import { addressOf, allReads, askerOf, fillWholeTown, isAnswered, pagesToRead, type WholeTown } from './whole-town.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let primary: OwnPostgres
let standby: OwnPostgres
let forwarder: Awaited<ReturnType<typeof startForwarder>>
let app: AppOn
let deal: string
beforeAll(async () => {
  primary = await startOwnPostgres()
  forwarder = await startForwarder(primary)
  app = await startAppOn(forwarder.url, { env: { REQUESTS_PER_SECOND: '100000' }, pages: await builtPages() })
  deal = await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Coffee')
  standby = await startStandby(primary, { synchronous: false })
})
afterAll(async () => {
  await app.close()
  await forwarder.close()
  await standby.stop()
  await primary.stop()
})

/** Waits until the app has noticed the server behind its address. */
const isWell = () =>
  vi.waitFor(async () => expect((await api(app, '/api/deals?limit=1')).status).toBe(200), { timeout: 90_000 })
const nameIn = async (path: string) =>
  ((await api(app, path)).body as { deal_id: string; deal_name: string }[]).find(({ deal_id }) => deal_id === deal)
    ?.deal_name

it('on a standby no route answers 500: reads work, and everything else, logins too, gets 503 with Retry-After', async () => {
  const town = await fillWholeTown(app)
  const { body: loggedIn } = await post(app, '/api/auth/login', { email: 'lena@example.org', password: goodPassword })
  await caughtUp(standby, primary)
  forwarder.leadTo(standby)
  onTestFinished(async () => {
    forwarder.leadTo(primary)
    await isWell()
  })
  await isWell()
  const statuses: Record<string, number> = {}
  const unasked: string[] = []
  for (const { endpoint } of app.app.operations.filter((each) => !each.endpoint.stream)) {
    const name = `${endpoint.method} ${endpoint.path}`
    const asker = askerOf(endpoint)
    const fields = { ...anyFields(town, loggedIn.refreshToken), ...ownFields[name] }
    const body = endpoint.files
      ? await formOf(fields, Object.keys(endpoint.files))
      : endpoint.body
        ? JSON.stringify(fields)
        : null
    const answer = await fetch(app.url + addressOf(endpoint, town) + (queries[name]?.(town) ?? ''), {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        'idempotency-key': `standby ${name}`,
        ...(asker ? { authorization: `Bearer ${town.tokens[asker]}` } : {}),
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      body,
    })
    const text = await answer.text()
    statuses[name] = answer.status
    if (answer.status >= 500)
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0], `${name}: ${text}`).toEqual([503, true])
    // a body that its contract refuses would never reach the database
    if (text.includes('"fields"') || [401, 403, 413, 415].includes(answer.status)) unasked.push(`${name}: ${text}`)
  }
  expect(unasked).toEqual([])
  expect(Object.values(statuses).filter((status) => status === 503).length).toBeGreaterThan(80)
  expect(statuses).toMatchObject({
    'GET /api/deals/search': 200,
    'GET /api/me': 200,
    'POST /api/auth/login': 503,
    'POST /api/business/login': 503,
    'POST /api/auth/signup': 503,
    'POST /api/contact': 503,
    'PUT /api/deals/{deal_id}/view': 503,
  })
  for (const { path, token } of [...allReads(app.app.operations, town), ...pagesToRead(town)]) {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const answer = await fetch(app.url + path, { headers })
    await answer.arrayBuffer()
    expect(isAnswered(answer.status, path) && !answer.headers.has('age'), `${path} ${answer.status}`).toBe(true)
  }
})

/** The fields of all contracts; each endpoint ignores the others. */
const anyFields = ({ ids }: WholeTown, refreshToken: string): Record<string, unknown> => ({
  display_name: 'Nora',
  name: 'Nora',
  email: 'nora@example.org',
  password: goodPassword,
  new_password: `${goodPassword}!`,
  accepts_terms: true,
  refreshToken,
  token: 'x'.repeat(43),
  code: '123456',
  totp: '123456',
  language: 'en',
  topic: 'visitor',
  message: 'Lost and found?',
  business_name: 'Bar Nord',
  deal_name: 'Soup',
  as: 'draft',
  days: 7,
  stars: 5,
  title: 'Where do I find water?',
  body: 'It is a hot evening, and I am thirsty.',
  category: 'help',
  mode: 'watch',
  post_number: 1,
  text: 'I wrote nothing that is not true.',
  action: 'hide',
  reason: 'It rained.',
  starts_at: Temporal.Now.instant().add({ minutes: 60 }).toString(),
  stage: 'Rheinbühne',
  text_en: 'A storm is near.',
  text_de: 'Ein Sturm ist nah.',
  text_fr: 'Un orage approche.',
  minutes: 30,
  keys: [`deal:${ids['deal_id']}`],
  beacon_id: '0'.repeat(32),
  amount_chf: 12,
  pin: '4711',
  newTier: 'ULTIMATE',
  interval: 'year',
  choice: 'pay',
  endpoint: 'https://push.example.org/nora',
  decision: 'hide',
  deal_ids: [ids['deal_id']],
  event_ids: [ids['event_id']],
  ...ids,
})
/** Fields of an operation that need other values. */
const ownFields: Record<string, Record<string, unknown>> = {
  'POST /api/deals': { category: 'food' },
  'PUT /api/deals/{deal_id}': { category: 'food' },
  'POST /api/admin/urgent': { kind: 'storm' },
  'POST /api/events': { category: 'music' },
  'PUT /api/events/{event_id}': { category: 'music' },
  'PUT /api/admin/programme-sources/{source}': { address: 'https://programme.example/2026.json', every_minutes: 15 },
  'POST /api/admin/programme-sources/{source}/apply': { hash: 'a'.repeat(64) },
  'POST /api/admin/stages': { category: undefined },
  'PUT /api/business/{business_id}': { category: 'food' },
  'POST /api/business/signup': { category: 'food' },
  'POST /api/forum/posts/{post_id}/flag': { kind: 'spam' },
  'POST /api/forum/moderation/members/{handle}': { action: 'silence' },
  'POST /api/forum/moderation/appeals/{action_id}': { decision: 'upheld' },
  'POST /api/push/subscriptions': { keys: { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) } },
}
const queries: Record<string, (town: WholeTown) => string> = {
  'GET /api/deals/{deal_id}/what-if': () => '?price=12',
  'GET /api/schedule/gap': ({ ids }) => `?from_event=${ids['event_id']}&to_event=${ids['later_event_id']}`,
}

/** A form with the text fields and a picture. */
async function formOf(fields: Record<string, unknown>, files: string[]): Promise<FormData> {
  const form = new FormData()
  for (const name of ['business_name', 'email', 'password', 'category']) form.set(name, String(fields[name]))
  const picture = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  for (const name of files) form.set(name, new File([new Uint8Array(picture)], 'picture.png', { type: 'image/png' }))
  return form
}

it('data lost with a primary is never shown again, and streams get every message of the new primary, even if it reuses ids of lost ones', async () => {
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
      `with published as (insert into live_events (channel, kind, data, created_at)
         values ('urgent', 'urgent-changed', $1::jsonb, now()) returning 1)
       select pg_notify('live_events', '') from published`,
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
  for (const path of lists) expect(await nameIn(path)).toBe('Was lost')
  forwarder.leadTo(null)
  await primary.kill()
  await promote(standby)
  await tell(standby, 3)
  let written = 0
  while (written < lost) written = await rename(standby, 'Is true')
  expect(written).toBe(lost)
  forwarder.leadTo(standby)
  await isWell()
  for (const path of lists) expect(await nameIn(path)).toBe('Is true')
  await hears(1, 2, 3)
  await tell(standby, 4)
  await hears(1, 2, 3, 4)
  // message 3 may be of either primary, so the client is told to load everything again
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
