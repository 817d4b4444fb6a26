import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addBusiness, addDeal, fillTown } from './cast.ts'
import { aMerchant, aVisitor } from './people.ts'
import { aModerator } from './staff.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from './start-app.ts'

/** 1,000 requests that no screen would send: no 5xx, no internal details, and only documented answers (S2, S3). */

let app: TestApp
/** The parts of an OpenAPI operation that the test reads. */
interface Documented {
  responses: Record<string, { content?: Record<string, unknown> }>
}

let document: { paths: Record<string, Record<string, Documented>> }
let ids: string[]

beforeAll(async () => {
  app = await startTestApp({ env: { PAYMENTS: 'test' } })
  const business = await addBusiness(app.db, 'Café Rhein', { open_hours: 'Mo-Su 08:00-22:00' })
  ids = [business, await addDeal(app.db, business, 'Coffee and cake')]
  await fillTown(app, saturdayEvening)
  document = (await api(app, '/api/openapi.json')).body
})
afterAll(() => app.close())

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud83c',
    '%',
    '_',
    "'",
    '"',
    '\\',
    '../',
    '<script>',
    '{{7*7}}',
    '${x}',
    '1e309',
    'NaN',
    '-0',
    '9'.repeat(400),
    '٣',
    '＜',
    '\u202e',
    'a'.repeat(5000),
    '__proto__',
    'constructor',
    '0000-01-01',
    '9999-12-31',
    // the cursor [0.5]
    'WzAuNV0',
  ),
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom(
    'true',
    'false',
    'null',
    'undefined',
    '[]',
    '{}',
    '47.5596',
    '7.5886',
    '5',
    'best',
    'food',
    '7,47,8,48',
  ),
)
const oddJson = fc.oneof(
  fc.jsonValue(),
  fc.record({ name: oddText, email: oddText, message: oddText, topic: oddText }, { requiredKeys: [] }),
  oddText,
)

// only JSON can contain a lone surrogate, addresses cannot
const wellFormed = (text: string) => encodeURIComponent(text.toWellFormed())

it('1,000 odd requests are answered as documented', { timeout: 180_000 }, async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      fc.array(oddText, { minLength: 2, maxLength: 2 }),
      fc.dictionary(
        fc.oneof(
          fc.constantFrom(
            'q',
            'category',
            'radius',
            'lat',
            'lon',
            'bbox',
            'sort',
            'limit',
            'offset',
            'after',
            'openNow',
            'sponsored',
            'view',
            '__proto__',
            'constructor',
          ),
          oddText,
        ),
        oddText,
        { maxKeys: 5 },
      ),
      oddJson,
      fc.boolean(),
      async ({ path, method, operation }, params, query, body, realId) => {
        let used = 0
        const filled = path
          .replace(/\{\w+\}/g, () => wellFormed((realId ? ids[used++ % 2] : params[used++]) ?? '') || 'x')
          .replace(/\/\.{1,2}(?=\/|$)/g, '/x')
        const search = Object.entries(query)
          .map(([key, value]) => `${wellFormed(key)}=${wellFormed(value)}`)
          .join('&')
        const { status, text, headers } = await api(app, `${filled}?${search}`, {
          method,
          redirect: 'manual',
          ...(method === 'GET' ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        })
        expect(status, `${method} ${filled}?${search} ${JSON.stringify(body)}: ${text}`).toBeLessThan(500)
        expect(text).not.toMatch(/node_modules|at .*\.ts:\d|syntax error|pg_|kysely/i)
        const framework = [400, 404, 413, 414, 415, 429, 431]
        expect([...Object.keys(operation.responses).map(Number), ...framework]).toContain(status)
        const [documented] = Object.keys(operation.responses[status]?.content ?? { 'application/json': null })
        if (![204, 303].includes(status)) expect(headers.get('content-type')).toContain(documented)
        if (status >= 400) {
          const { error, code } = JSON.parse(text) as { error: string; code: string }
          expect(error.length).toBeGreaterThan(3)
          expect(code).toMatch(/^[a-z_]+$/)
        }
      },
    ),
    { numRuns: 1000, seed: 4058 },
  )
  expect((await api(app, '/readyz')).status).toBe(200)
})

it('odd requests of logged-in people give no 500 either', async () => {
  const visitor = await aVisitor(app)
  const merchant = await aMerchant(app)
  await sql`update businesses set subscription_tier = 'ULTIMATE' where business_id = ${merchant.businessId}`.execute(
    app.db,
  )
  const staff = await aModerator(app)
  const topic = await api(app, '/api/forum/topics', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${staff}` },
    body: JSON.stringify({ category: 'help', title: 'Where is the queue?', body: 'At the bridge.' }),
  })
  const price = { deal_name: 'Q', price_chf: 20, regular_price_chf: 50 }
  const asked: [number, string, string, string | null, unknown?][] = [
    [400, 'GET', `/api/forum/topics/${topic.body.topic.topic_id}/posts?after=WzAuNV0`, null],
    [404, 'GET', '/api/forum/members/%00', null],
    [404, 'PUT', '/api/forum/members/%00/block', visitor.authToken],
    [404, 'POST', '/api/forum/moderation/members/%00', staff, { action: 'unban' }],
    [400, 'PATCH', '/api/notifications/settings', visitor.authToken, { type: '__proto__', channels: [] }],
    [400, 'POST', '/api/deals', merchant.authToken, { ...price, regular_price_since: '0000-01-01' }],
    [400, 'GET', `/api/business/${merchant.businessId}/analytics?to=0000-01-01`, merchant.authToken],
    [400, 'GET', '/api/admin/log?from=0000-01-01', staff],
    [400, 'GET', '/api/admin/log?to=0001-01-01', staff],
  ]
  for (const [status, method, path, token, body] of asked) {
    const answer = await api(app, path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status)
  }
})
