import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStaff } from '../src/accounts/server/accounts.ts'
import { admit } from '../src/kit/server/access.ts'
import { keyringFor, withJobs } from './rooms.ts'
import { addDeal, addEvent } from './cast.ts'
import { aMerchant, aVisitor, get, goodPassword, logIn, post, type Person } from './people.ts'
import { startTestApp, type TestApp } from './start-app.ts'

/**
 * The access matrix: every operation of every contract, called by each kind of caller (S13). An operation without a row fails, and so does
 * a row without an operation.
 */

type Actor =
  | 'guest'
  | 'visitor'
  | 'owner'
  | 'otherBusiness'
  | 'unverified'
  | 'admin'
  | 'staffWithoutSecondFactor'
  | 'blocked'
  | 'loggedOut'
  | 'expired'
  | 'refreshAsAccess'
  | 'foreignKey'
  | 'noBearer'

const dead: Actor[] = ['blocked', 'loggedOut', 'expired', 'refreshAsAccess', 'foreignKey', 'noBearer']
const living: Actor[] = ['visitor', 'owner', 'otherBusiness', 'unverified', 'admin', 'staffWithoutSecondFactor']
const actors: Actor[] = ['guest', ...living, ...dead]

type Answers = Record<Actor, number>
const same = (group: Actor[], status: number) =>
  Object.fromEntries(group.map((actor) => [actor, status])) as Partial<Answers>

/** For everybody. */
const everybody = (status: number): Answers => same(actors, status) as Answers
const loggedIn = (status: number): Answers => ({ ...everybody(401), ...same(living, status) }) as Answers
/** For the merchant who owns the thing; for another merchant it does not exist. */
const ownerAlone = (status: number): Answers => ({
  ...everybody(401),
  ...same(living, 403),
  owner: status,
  otherBusiness: 404,
})
/** For visitors with a confirmed email address. */
const visitorAlone = (status: number): Answers =>
  ({ ...everybody(401), ...same(living, 403), visitor: status }) as Answers

/** For the merchant who owns the thing; other merchants may see it, but not change it. */
const ownerChanges = (status: number): Answers => ({ ...ownerAlone(status), otherBusiness: 403 })
/** For all merchants. */
const merchants = (status: number): Answers => ({ ...ownerAlone(status), otherBusiness: status })

/** For visitors and staff. */
const visitorsAlone = (status: number): Answers => ({
  ...loggedIn(status),
  owner: 403,
  otherBusiness: 403,
  staffWithoutSecondFactor: 403,
})
/** For everybody who is logged in; staff need their second factor. */
const loggedInStaff = (status: number): Answers => ({ ...loggedIn(status), staffWithoutSecondFactor: 403 })
/** The same, with a confirmed email address where it is demanded. */
const writers = (status: number): Answers => ({ ...loggedInStaff(status), unverified: 403 })

/** For staff with a second factor. */
const staffOnly = (status: number): Answers => ({ ...everybody(401), ...same(living, 403), admin: status })

/** For visitors and staff, also before a second factor is set up. */
const visitorsAndStaff = (status: number): Answers =>
  ({ ...everybody(401), ...same(living, status), ...same(['owner', 'otherBusiness'], 403) }) as Answers

interface Row {
  answers: Answers
  body?: unknown
  query?: string
  /** Ids to use instead of those of the owner's things. */
  at?: Record<string, string>
  /** Sent as a form instead of JSON. */
  form?: Record<string, string>
}

// a 400 also proves that the caller has access, and changes nothing
const rows: Record<string, Row> = {
  'POST /api/auth/signup': { answers: everybody(400), body: {} },
  'POST /api/auth/login': { answers: everybody(400), body: {} },
  'POST /api/business/login': { answers: everybody(400), body: {} },
  'POST /api/business/signup': { answers: everybody(400), form: { business_name: '' } },
  'POST /api/auth/refresh': { answers: everybody(400), body: {} },
  'POST /api/auth/logout': { answers: everybody(400), body: { refreshToken: 5 } },
  'POST /api/auth/forgot': { answers: everybody(400), body: {} },
  'POST /api/auth/reset': { answers: everybody(400), body: {} },
  'POST /api/auth/verify': { answers: everybody(400), body: { token: 'none' } },
  'POST /api/auth/verify/resend': { answers: loggedIn(202) },
  'GET /api/auth/options': { answers: everybody(200) },
  'GET /api/auth/challenge': { answers: everybody(200) },
  'GET /api/auth/google/start': { answers: everybody(303) },
  'GET /api/auth/google/callback': { answers: everybody(303), query: '?state=none' },
  'POST /api/auth/google/exchange': { answers: everybody(400), body: { code: 'none' } },
  'GET /api/me': { answers: loggedIn(200) },
  'PATCH /api/me': { answers: loggedIn(400), body: { language: 'xx' } },
  'DELETE /api/me': { answers: loggedIn(400), body: {} },
  'POST /api/me/keep': { answers: loggedIn(200) },
  'GET /api/me/export': { answers: loggedIn(200) },
  'GET /api/me/sessions': { answers: loggedIn(200) },
  'DELETE /api/me/sessions/{session_id}': { answers: loggedIn(404) },
  'DELETE /api/me/sessions': { answers: loggedIn(204) },
  'POST /api/me/email': { answers: loggedIn(400), body: {} },
  'POST /api/me/password': { answers: loggedIn(400), body: {} },
  'POST /api/me/2fa/setup': { answers: loggedIn(400), body: {} },
  'POST /api/me/2fa/enable': { answers: loggedIn(400), body: {} },
  'POST /api/me/2fa/disable': { answers: loggedIn(400), body: {} },
  'POST /api/me/2fa/recovery-codes': { answers: loggedIn(400), body: {} },
  'POST /api/newsletter': { answers: everybody(400), body: {} },
  'POST /api/newsletter/confirm': { answers: everybody(400), body: { token: 'none' } },
  'POST /api/newsletter/unsubscribe': { answers: everybody(400) },
  'GET /api/business': { answers: everybody(200) },
  'GET /api/business/search': { answers: everybody(200) },
  'GET /api/business/search?view=map': { answers: everybody(200) },
  'GET /api/business/letters': { answers: everybody(200) },
  'GET /api/business/{business_id}': { answers: everybody(200) },
  'GET /api/business/{business_id}/subscription': { answers: merchants(200) },
  'GET /api/business/{business_id}/stats': { answers: ownerAlone(200) },
  'PUT /api/business/{business_id}': {
    answers: { ...ownerChanges(400), otherBusiness: 400 },
    body: { business_name: '' },
  },
  'POST /api/uploads': { answers: merchants(400), form: {} },
  'PUT /api/business/{business_id}/view': { answers: everybody(204) },
  'GET /api/payments/my-subscription': { answers: merchants(200) },
  'POST /api/business/upgrade': { answers: merchants(400), body: { newTier: 'FREE' } },
  // no payment provider is configured
  'POST /api/payments/create-promo-session': { answers: merchants(503) },
  'POST /api/payments/cancel': { answers: merchants(409) },
  'POST /api/payments/resume': { answers: merchants(409) },
  'POST /api/payments/switch': { answers: merchants(400), body: { interval: 'week' } },
  'POST /api/payments/portal-session': { answers: merchants(409) },
  'GET /api/payments/invoices': { answers: merchants(200) },
  'GET /api/payments/invoices/{invoice_id}': { answers: merchants(404) },
  'GET /api/payments/billing-address': { answers: merchants(200) },
  'PUT /api/payments/billing-address': { answers: merchants(400), body: { uid: 'CHE-1' } },
  'POST /api/payments/webhook': { answers: everybody(503), body: {} },
  'GET /api/payments/test-checkouts/{checkout_id}': { answers: merchants(404) },
  'POST /api/payments/test-checkouts/{checkout_id}': { answers: merchants(404), body: { choice: 'pay' } },
  'GET /api/places': { answers: everybody(200) },
  'GET /api/events/venues': { answers: everybody(200) },
  'GET /api/events/changes': { answers: everybody(200) },
  'GET /api/events': { answers: everybody(200) },
  'GET /api/events.ics': { answers: everybody(200) },
  'GET /api/events.json': { answers: everybody(200) },
  'GET /api/events.xml': { answers: everybody(200) },
  'GET /api/admin': { answers: staffOnly(200) },
  'GET /api/admin/log': { answers: staffOnly(200) },
  'POST /api/admin/log/{entry_id}/undo': { answers: staffOnly(404) },
  'GET /api/urgent': { answers: everybody(200) },
  'GET /api/admin/urgent': { answers: staffOnly(200) },
  'POST /api/admin/urgent': { answers: staffOnly(400), body: { kind: 5 } },
  'POST /api/admin/urgent/{notice_id}/end': { answers: staffOnly(404) },
  'GET /api/admin/events': { answers: staffOnly(200) },
  'GET /api/admin/events/{event_id}': { answers: staffOnly(200) },
  'GET /api/admin/stages': { answers: staffOnly(200) },
  'POST /api/admin/events/pictures': { answers: staffOnly(400), form: {} },
  'POST /api/admin/events/import': { answers: staffOnly(422), form: { dry_run: 'true' } },
  'GET /api/admin/programme-sources': { answers: staffOnly(200) },
  'PUT /api/admin/programme-sources/{source}': { answers: staffOnly(400), body: {} },
  'DELETE /api/admin/programme-sources/{source}': { answers: staffOnly(404) },
  'POST /api/admin/programme-sources/{source}/read': { answers: staffOnly(404) },
  'POST /api/admin/programme-sources/{source}/apply': { answers: staffOnly(400), body: {} },
  'POST /api/admin/merchants/import': { answers: staffOnly(422), form: { dry_run: 'true' } },
  'POST /api/admin/places/import': { answers: staffOnly(422), form: { dry_run: 'true' } },
  'POST /api/events': { answers: staffOnly(400), body: {} },
  'POST /api/admin/stages': { answers: staffOnly(400), body: {} },
  'PUT /api/admin/venues/{venue_id}': { answers: staffOnly(400), body: { capacity: 0 } },
  'PUT /api/events/{event_id}': { answers: staffOnly(400), body: { title: 'x' } },
  'DELETE /api/events/{event_id}': { answers: staffOnly(400), body: { reason: 5 } },
  'GET /api/events/programme': { answers: everybody(200) },
  'GET /api/events/now-next': { answers: everybody(200) },
  'GET /api/events/{event_id}': { answers: everybody(200) },
  'GET /api/events/{event_id}/neighbours': { answers: everybody(200) },
  'GET /api/schedule': { answers: visitorsAlone(200) },
  'POST /api/schedule': { answers: visitorsAlone(400), body: {} },
  'POST /api/schedule/import': { answers: visitorsAlone(400), body: {} },
  'PATCH /api/schedule/{entry_id}': { answers: visitorsAlone(404), body: {} },
  'DELETE /api/schedule/{entry_id}': { answers: visitorsAlone(404) },
  'DELETE /api/schedule/events/{event_id}': { answers: visitorsAlone(204) },
  'POST /api/schedule/autoplan': { answers: visitorsAlone(400), body: { day: 'x' } },
  'GET /api/schedule/gap': { answers: visitorsAlone(400) },
  'GET /api/schedule/feed/{token}.ics': { answers: everybody(404) },
  'POST /api/schedule/feed/rotate': { answers: visitorsAlone(201) },
  'POST /api/schedule/share': { answers: visitorsAlone(201) },
  'DELETE /api/schedule/share': { answers: visitorsAlone(204) },
  'GET /api/shared/{token}': { answers: everybody(404) },
  'GET /api/deals': { answers: everybody(200) },
  'GET /api/deals/search': { answers: everybody(200) },
  'GET /api/deals/search?view=map': { answers: everybody(200) },
  'GET /api/deals/{deal_id}': { answers: everybody(200) },
  'GET /api/deals/business/{business_id}': { answers: everybody(200) },
  'PUT /api/deals/{deal_id}/view': { answers: everybody(204) },
  'POST /api/deals': { answers: merchants(400), body: {} },
  'PUT /api/deals/{deal_id}': { answers: { ...ownerChanges(400), otherBusiness: 400 }, body: { deal_name: '' } },
  'POST /api/deals/{deal_id}/pause': { answers: ownerChanges(200) },
  'POST /api/deals/{deal_id}/restore': { answers: ownerChanges(200), body: { as: 'draft' } },
  'POST /api/deals/{deal_id}/resume': { answers: ownerChanges(200) },
  'POST /api/deals/{deal_id}/duplicate': { answers: ownerChanges(201) },
  'DELETE /api/deals/{deal_id}': { answers: merchants(404), at: { deal_id: 'none' } },
  'POST /api/deals/duplicate': { answers: merchants(400), body: {} },
  // the deal needs no code
  'POST /api/deals/{deal_id}/claim': { answers: visitorAlone(409) },
  'GET /api/deals/{deal_id}/ratings': { answers: everybody(200) },
  'PUT /api/deals/{deal_id}/rating': { answers: visitorAlone(400), body: {} },
  'DELETE /api/deals/{deal_id}/rating': { answers: visitorAlone(404) },
  // both merchants are FREE, and figures need PREMIUM
  'GET /api/business/{business_id}/analytics': { answers: ownerAlone(403) },
  'GET /api/business/{business_id}/analytics.csv': { answers: ownerAlone(403) },
  'GET /api/deals/{deal_id}/analytics': { answers: ownerAlone(403) },
  'GET /api/deals/{deal_id}/what-if': { answers: ownerAlone(403), query: '?price=12' },
  'POST /api/impressions': { answers: everybody(400), body: {} },
  'POST /api/deals/{deal_id}/report': {
    answers: loggedInStaff(400),
    body: { why: 'none' },
  },
  'GET /api/admin/reports': { answers: staffOnly(200) },
  'POST /api/admin/reports/{case_id}': { answers: staffOnly(400), body: {} },
  'GET /api/admin/suspensions': { answers: staffOnly(200) },
  'POST /api/admin/suspensions': { answers: staffOnly(400), body: {} },
  'POST /api/admin/suspensions/{business_id}/lift': { answers: staffOnly(409) },
  'GET /api/business/{business_id}/ratings': { answers: everybody(200) },
  'PUT /api/ratings/{rating_id}/reply': { answers: merchants(404), body: {} },
  'POST /api/ratings/{rating_id}/report': { answers: loggedInStaff(404) },
  'GET /api/me/claims': { answers: visitorAlone(200) },
  'DELETE /api/me/claims/{claim_id}': { answers: visitorAlone(404) },
  'POST /api/redemptions/check': { answers: merchants(400), body: {} },
  'POST /api/redemptions': { answers: merchants(400), body: {} },
  'GET /api/redemptions': { answers: merchants(200) },
  'GET /api/redemptions/tonight': { answers: merchants(200) },
  'POST /api/redemptions/{redemption_id}/undo': { answers: merchants(404) },
  'POST /api/till/check': { answers: everybody(401), body: { code: '123456', till_token: 'none' } },
  'POST /api/till/redemptions': {
    answers: everybody(401),
    body: { code: '123456', amount_chf: 1, till_token: 'none' },
  },
  'POST /api/till/redemptions/{redemption_id}/undo': { answers: everybody(401), body: { till_token: 'none' } },
  'GET /api/till/clock': { answers: everybody(200) },
  'POST /api/till/unlock': { answers: everybody(404), body: { device_id: 'none', device_secret: 'none', pin: '0000' } },
  'GET /api/business/{business_id}/devices': { answers: ownerAlone(200) },
  'POST /api/business/{business_id}/devices': {
    answers: { ...ownerAlone(400), otherBusiness: 400 },
    body: { name: '' },
  },
  'DELETE /api/business/{business_id}/devices/{device_id}': { answers: ownerAlone(404) },
  'GET /api/forum/categories': { answers: everybody(200) },
  'GET /api/forum/topics': { answers: everybody(200) },
  'POST /api/forum/topics': { answers: writers(400), body: {} },
  'GET /api/forum/topics/{topic_id}': { answers: everybody(404) },
  'PATCH /api/forum/topics/{topic_id}': { answers: writers(404), body: {} },
  'GET /api/forum/topics/{topic_id}/posts': { answers: everybody(404) },
  'POST /api/forum/topics/{topic_id}/posts': { answers: writers(400), body: {} },
  'PUT /api/forum/topics/{topic_id}/watch': { answers: loggedInStaff(400), body: {} },
  'PUT /api/forum/topics/{topic_id}/read': { answers: loggedInStaff(400), body: {} },
  'GET /api/forum/topics/{topic_id}/mine': { answers: loggedInStaff(404) },
  'GET /api/forum/posts/{post_id}': { answers: everybody(404) },
  'PATCH /api/forum/posts/{post_id}': { answers: writers(404), body: {} },
  'DELETE /api/forum/posts/{post_id}': { answers: loggedInStaff(404) },
  'GET /api/forum/posts/{post_id}/history': { answers: everybody(404) },
  'PUT /api/forum/posts/{post_id}/like': { answers: loggedInStaff(404) },
  'DELETE /api/forum/posts/{post_id}/like': { answers: loggedInStaff(404) },
  'POST /api/forum/posts/{post_id}/flag': { answers: loggedInStaff(400), body: {} },
  'GET /api/forum/search': { answers: everybody(200) },
  'POST /api/forum/preview': { answers: loggedInStaff(400), body: {} },
  'POST /api/forum/images': { answers: writers(400), form: { nothing: '' } },
  'GET /api/forum/members/{handle}': { answers: everybody(404) },
  'PUT /api/forum/members/{handle}/block': { answers: loggedInStaff(404) },
  'DELETE /api/forum/members/{handle}/block': { answers: loggedInStaff(404) },
  'GET /api/forum/mine': { answers: loggedInStaff(200) },
  'GET /api/forum/moderation/queue': { answers: staffOnly(200) },
  'GET /api/forum/moderation/appeals': { answers: staffOnly(200) },
  'POST /api/forum/moderation/posts/{post_id}': { answers: staffOnly(400), body: {} },
  'POST /api/forum/moderation/topics/{topic_id}': { answers: staffOnly(400), body: {} },
  'GET /api/forum/moderation/members/{handle}': { answers: staffOnly(404) },
  'POST /api/forum/moderation/members/{handle}': { answers: staffOnly(400), body: {} },
  'POST /api/forum/moderation/appeals/{action_id}': { answers: staffOnly(400), body: {} },
  'POST /api/forum/appeals': { answers: loggedInStaff(400), body: {} },
  'GET /api/map/config': { answers: everybody(200) },
  'GET /api/favorites': { answers: visitorsAndStaff(200) },
  'GET /api/favorites/keys': { answers: visitorsAndStaff(200) },
  'GET /api/favorites/preview': { answers: everybody(200) },
  'PUT /api/favorites/{kind}/{id}': { answers: visitorsAndStaff(404) },
  'DELETE /api/favorites/{kind}/{id}': { answers: visitorsAndStaff(404) },
  'POST /api/favorites/merge': { answers: visitorsAndStaff(400), body: {} },
  'GET /api/notifications': { answers: loggedIn(200) },
  'GET /api/notifications/unread': { answers: loggedIn(200) },
  'POST /api/notifications/read': { answers: loggedIn(400), body: { notification_ids: 5 } },
  'GET /api/notifications/settings': { answers: loggedIn(200) },
  'PATCH /api/notifications/settings': { answers: loggedIn(400), body: { channels: 5 } },
  'POST /api/push/subscriptions': { answers: loggedIn(400), body: { endpoint: 5 } },
  'DELETE /api/push/subscriptions': { answers: loggedIn(400), body: { endpoint: 5 } },
  // an open stream would never end, so the row asks for an unknown channel
  'GET /api/stream': { answers: everybody(400), query: '?channels=nobody' },
  'POST /api/contact': { answers: everybody(400), body: {} },
}

let app: TestApp
let tokens: Record<Actor, string | null>
let ids: Record<string, string>

beforeAll(async () => {
  app = await startTestApp({ env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
  // an hour ago, so that the token has expired
  app.setNow('2026-06-20T16:30:00Z')
  const tired = await aVisitor(app, 'tired@example.org')
  app.setNow('2026-06-20T17:30:00Z')
  const verified = async (person: Person) => {
    await app.db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', person.email).execute()
    return person
  }
  const visitor = await verified(await aVisitor(app, 'visitor@example.org'))
  const owner = (await verified(await aMerchant(app, 'owner@example.org'))) as Person & { businessId: string }
  const other = await verified(await aMerchant(app, 'other@example.org', { business_name: 'Bar Nord' }))
  const unverified = await aVisitor(app, 'unverified@example.org')
  const blocked = await aVisitor(app, 'blocked@example.org')
  await app.db.updateTable('accounts').set({ blocked_at: new Date() }).where('email', '=', blocked.email).execute()
  const gone = await aVisitor(app, 'gone@example.org')
  expect((await post(app, '/api/auth/logout', undefined, { token: gone.authToken })).status).toBe(204)
  tokens = {
    guest: null,
    visitor: visitor.authToken,
    owner: owner.authToken,
    otherBusiness: other.authToken,
    unverified: unverified.authToken,
    admin: await staffToken('admin@example.org', true),
    staffWithoutSecondFactor: await staffToken('moderator@example.org', false),
    blocked: blocked.authToken,
    loggedOut: gone.authToken,
    expired: tired.authToken,
    refreshAsAccess: visitor.refreshToken,
    foreignKey: `${visitor.authToken.slice(0, -4)}AAAA`,
    noBearer: 'two words',
  }
  ids = {
    business_id: owner.businessId,
    deal_id: await addDeal(app.db, owner.businessId, 'Coffee'),
    event_id: await addEvent(app.db, 'Glasshouse', '2026-06-20T19:00:00Z'),
    session_id: 'x',
    topic_id: 'x',
    post_id: 'x',
    handle: 'nobody',
    action_id: 'x',
    claim_id: 'x',
    redemption_id: 'x',
    rating_id: 'x',
    device_id: 'x',
    entry_id: 'x',
    token: 'x',
  }
})
afterAll(() => app.close())

/** Creates a staff account by the command and its link, and logs in. */
async function staffToken(email: string, withSecondFactor: boolean): Promise<string> {
  const clock = { now: () => Temporal.Instant.from('2026-06-20T17:30:00Z') }
  const keys = await keyringFor(app)
  const { token } = await withJobs(app, (jobs) =>
    addStaff(
      { db: app.db, clock, ...keys, jobs, log: { note() {} } },
      {
        email,
        role: email.startsWith('admin') ? 'admin' : 'moderator',
        name: 'Staff',
        language: 'en',
        origin: app.url,
      },
    ),
  )
  expect((await post(app, '/api/auth/reset', { token, password: goodPassword })).status).toBe(200)
  const { authToken } = await logIn(app, '/api/auth/login', email)
  if (!withSecondFactor) return authToken
  const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token: authToken })
  const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate({
    timestamp: Date.parse('2026-06-20T17:30:00Z'),
  })
  expect((await post(app, '/api/me/2fa/enable', { totp: code }, { token: authToken })).status).toBe(200)
  return authToken
}

describe('the access matrix', () => {
  it('has a row for every operation, and no others', () => {
    const operations = app.app.operations.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(Object.keys(rows).sort()).toEqual(operations.sort())
  })
  it.each(Object.keys(rows))('%s', async (name) => {
    const row = rows[name]!
    const [method, path] = name.split(' ') as [string, string]
    const address = path.replace(/\{(\w+)\}/g, (_, key: string) => (row.at ?? ids)[key]!) + (row.query ?? '')
    const found = Object.fromEntries(
      await Promise.all(
        actors.map(async (actor) => {
          const headers: Record<string, string> =
            tokens[actor] === null ? {} : { authorization: `Bearer ${tokens[actor]}` }
          let body: BodyInit | undefined
          if (row.form) {
            body = new FormData()
            for (const [key, value] of Object.entries(row.form)) body.set(key, value)
          } else if (row.body !== undefined) {
            body = JSON.stringify(row.body)
            headers['content-type'] = 'application/json'
          }
          const answer = await fetch(`${app.url}${address}`, {
            method,
            headers,
            body: body ?? null,
            redirect: 'manual',
          })
          await answer.arrayBuffer()
          return [actor, answer.status] as const
        }),
      ),
    )
    // without a second factor staff may only manage their own account
    expect(found).toEqual(row.answers)
  })
})

describe('a token that is expired, malformed or of another scheme', () => {
  const headersOfDead = () => [
    ...dead.map((actor) => `Bearer ${tokens[actor]}`),
    'Bearer null',
    'Bearer undefined',
    'Bearer',
    'Basic bGVuYTpzZWNyZXQ=',
    'null',
  ]
  const ask = (path: string, authorization?: string) =>
    fetch(app.url + path, { headers: authorization === undefined ? {} : { authorization } })

  it('counts as no token where guests may read, and the answer says so', async () => {
    const reads = app.app.operations
      .map(({ endpoint }) => endpoint)
      .filter(({ method, access, stream }) => method === 'GET' && access === 'noticed' && !stream)
    expect(reads.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/api/business/{business_id}',
        '/api/deals/{deal_id}',
        '/api/deals/business/{business_id}',
      ]),
    )
    for (const { path } of reads) {
      const address = path.replace(/\{(\w+)\}/g, (_, key: string) => ids[key]!)
      const asGuest = await ask(address)
      const expected = { status: asGuest.status, text: await asGuest.text() }
      expect(asGuest.headers.get('www-authenticate'), address).toBeNull()
      for (const authorization of headersOfDead()) {
        const answer = await ask(address, authorization)
        expect({ status: answer.status, text: await answer.text() }, `${address} ${authorization}`).toEqual(expected)
        expect(answer.headers.get('www-authenticate'), `${address} ${authorization}`).toBe(
          'Bearer error="invalid_token"',
        )
      }
      const asOwner = await ask(address, `Bearer ${tokens.owner}`)
      await asOwner.arrayBuffer()
      expect(asOwner.headers.get('www-authenticate'), address).toBeNull()
    }
  })

  it('is refused with 401, which names the scheme, where a login is needed', async () => {
    for (const path of ['/api/me', '/api/payments/my-subscription']) {
      const asGuest = await ask(path)
      await asGuest.arrayBuffer()
      expect([asGuest.status, asGuest.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      for (const authorization of headersOfDead()) {
        const answer = await ask(path, authorization)
        await answer.arrayBuffer()
        expect([answer.status, answer.headers.get('www-authenticate')], `${path} ${authorization}`).toEqual([
          401,
          'Bearer error="invalid_token"',
        ])
      }
    }
  })

  it('shows no drafts, which only their owner sees', async () => {
    const draft = await post(app, '/api/deals', { deal_name: 'Soup', draft: true }, { token: tokens.owner! })
    const listed = async (authorization?: string) =>
      (await (await ask(`/api/deals/business/${ids['business_id']}`, authorization)).json()) as { deal_id: string }[]
    const isThere = (deals: { deal_id: string }[]) => deals.some(({ deal_id }) => deal_id === draft.body.deal_id)
    expect(isThere(await listed(`Bearer ${tokens.owner}`))).toBe(true)
    for (const authorization of [undefined, ...headersOfDead()])
      expect(isThere(await listed(authorization))).toBe(false)
  })
})

describe('access with a further condition', () => {
  const who = {
    accountId: 'a',
    role: 'user',
    businessId: null,
    sessionId: 's',
    verified: false,
    mustVerify: false,
    lacksSecondFactor: false,
  }
  const gate = (more: Partial<typeof who>) => ({
    whoIs: async () => ({ ...who, ...more }),
  })
  it('needs a confirmed email address, where the operator demands it', async () => {
    const access = { roles: ['user'], verified: true } as const
    await expect(admit(access, 't', gate({ mustVerify: true }))).rejects.toMatchObject({
      kind: { code: 'email_unverified', status: 403 },
    })
    await expect(admit(access, 't', gate({}))).resolves.toMatchObject({ role: 'user' })
    await expect(admit(access, 't', gate({ verified: true }))).resolves.toMatchObject({ role: 'user' })
  })
  it('needs a second factor of staff, except to manage their own account', async () => {
    const lacking = gate({ role: 'admin', lacksSecondFactor: true })
    await expect(admit({ roles: ['admin'] }, 't', lacking)).rejects.toMatchObject({
      kind: { code: 'second_factor_required', status: 403 },
    })
    await expect(admit({ roles: ['admin'], beforeSecondFactor: true }, 't', lacking)).resolves.toBeTruthy()
  })
})

it('a merchant cannot read the figures of another, and sees of another only what everybody sees', async () => {
  const own = await get(app, `/api/business/${ids['business_id']}`, tokens.owner!)
  expect(own.body.email).toBe('owner@example.org')
  for (const token of [tokens.otherBusiness!, tokens.visitor!, tokens.admin!]) {
    const seen = await get(app, `/api/business/${ids['business_id']}`, token)
    expect(seen.body).not.toHaveProperty('email')
    expect(seen.body).not.toHaveProperty('requested_tier')
  }
})

it('a merchant with an unconfirmed email address is told so, can save drafts, and cannot publish', async () => {
  const bar = await aMerchant(app, 'unconfirmed@example.org', { business_name: 'Bar Süd' })
  const by = { token: bar.authToken }
  const subscription = await get(app, `/api/business/${bar.businessId}/subscription`, bar.authToken)
  expect(subscription.body).toMatchObject({ email_verified: false, must_verify: true })
  const { status, body } = await post(app, '/api/deals', { deal_name: 'First' }, by)
  expect(status).toBe(201)
  expect(body).toMatchObject({ status: 'draft', notice_code: 'untilConfirmed' })
  expect(body.notice).toContain('confirm your email address')
  const changed = await post(app, `/api/deals/${body.deal_id}`, { price: '5' }, { ...by, method: 'PUT' })
  expect(changed.body).toMatchObject({ status: 'draft', price: '5', notice: null })
  const resumed = await post(app, `/api/deals/${body.deal_id}/resume`, undefined, by)
  expect([resumed.status, resumed.body.code]).toEqual([403, 'email_unverified'])
  const copied = await post(app, '/api/deals/duplicate', { deal_ids: [body.deal_id], days: 7 }, by)
  expect(copied.body.deals).toMatchObject([{ status: 'draft' }])
  expect((await get(app, `/api/deals/${body.deal_id}`)).status).toBe(404)
  await app.db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', bar.email).execute()
  expect((await post(app, `/api/deals/${body.deal_id}/resume`, undefined, by)).body.status).toBe('active')
})
