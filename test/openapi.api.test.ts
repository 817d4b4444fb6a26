import { beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal } from './cast.ts'
import { undocumented } from './documented.ts'
import { api, appForTest, startTestApp } from './start-app.ts'

/**
 * Writes that are open to everybody on purpose: signup and login, writes for guests, and signed events of the payment provider. They are
 * limited per IP address. (Counting a view and writing to the organisers accept a token without needing it: they count as restricted.)
 */
const openWrites = [
  'POST /api/auth/forgot',
  'POST /api/auth/google/exchange',
  'POST /api/auth/login',
  'POST /api/auth/refresh',
  'POST /api/auth/reset',
  'POST /api/auth/signup',
  'POST /api/auth/verify',
  'POST /api/business/login',
  'POST /api/business/signup',
  'POST /api/newsletter',
  'POST /api/newsletter/confirm',
  'POST /api/newsletter/unsubscribe',
  'POST /api/payments/webhook',
  // a till: a device with its own token, or the login of its business
  'POST /api/till/check',
  'POST /api/till/redemptions',
  'POST /api/till/redemptions/{redemption_id}/undo',
  'POST /api/till/unlock',
]

/** Endpoints with a secret address, for clients that cannot send a token: friends and their calendars. */
const secretAddresses = ['GET /api/shared/{token}', 'GET /api/schedule/feed/{token}.ics']

interface Operation {
  security?: object[]
  parameters?: { in: string; name: string }[]
}

describe('the OpenAPI document', () => {
  let operations: [name: string, operation: Operation][]
  let document: unknown
  beforeAll(async () => {
    const app = await startTestApp()
    const { body } = await api(app, '/api/openapi.json')
    await app.close()
    const { paths } = (document = body) as { paths: Record<string, Record<string, Operation>> }
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]): [string, Operation] => [`${method.toUpperCase()} ${path}`, each]),
    )
  })

  it('demands a token for every write, except those that are open on purpose', () => {
    const open = operations.filter(([name, { security }]) => !name.startsWith('GET ') && !security?.length)
    expect(open.map(([name]) => name).toSorted()).toEqual(openWrites)
  })

  it('gives operations of staff their own security scheme', () => {
    const ofStaff = operations.filter(([name]) => name.includes('/api/admin/'))
    expect(ofStaff.length).toBeGreaterThan(10)
    for (const [name, { security }] of ofStaff) expect(security, name).toEqual([{ staff: [] }])
  })

  it('has no secret in an address, except in secret addresses', () => {
    const secret = /token|secret|password|totp|api_?key/i
    const named = operations.filter(([, { parameters = [] }]) =>
      parameters.some((parameter) => parameter.in !== 'header' && secret.test(parameter.name)),
    )
    expect(named.map(([name]) => name).toSorted()).toEqual(secretAddresses.toSorted())
  })

  it('names the headers If-Match and Idempotency-Key of changes that take them', () => {
    const [, { parameters = [] }] = operations.find(([name]) => name === 'PUT /api/events/{event_id}')!
    const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    expect(headers.toSorted()).toEqual(['idempotency-key', 'if-match'])
  })

  it('limits every text and every list', () => {
    const unlimited: string[] = []
    const look = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return
      const schema = value as Record<string, unknown>
      const isKnown = ['enum', 'const', 'maxLength', 'format', 'pattern'].some((limit) => limit in schema)
      if (schema['type'] === 'string' && !isKnown) unlimited.push(path)
      if (schema['type'] === 'array' && !('maxItems' in schema)) unlimited.push(path)
      for (const [key, inner] of Object.entries(schema)) if (key !== 'example') look(inner, `${path}.${key}`)
    }
    look(document, '')
    expect(unlimited).toEqual([])
  })
})

it('an undocumented answer fails any story', async () => {
  const app = await appForTest()
  const seen = { method: 'GET', path: '/api/deals/search', status: 200, contentType: 'application/json', text: '[]' }
  expect(await undocumented(app.url, seen)).toBeNull()
  expect(await undocumented(app.url, { ...seen, text: '[{"deal_id":"x"}]' })).toContain('required property')
  // `exact` answers are not cut to their contract, so the tests check that they have no other fields
  const deal_id = await addDeal(app.db, await addBusiness(app.db, 'Rhybar'), 'Limo')
  const { body } = await api(app, `/api/deals/${deal_id}`)
  const one = { ...seen, path: `/api/deals/${deal_id}`, text: JSON.stringify(body) }
  expect(await undocumented(app.url, one)).toBeNull()
  const more = JSON.stringify({ ...(body as object), secret: 1 })
  expect(await undocumented(app.url, { ...one, text: more })).toContain('must NOT have additional properties')
  expect(await undocumented(app.url, { ...seen, status: 418 })).toContain('status not documented')
  expect(await undocumented(app.url, { ...seen, contentType: 'text/html' })).toContain('instead of JSON')
  expect(await undocumented(app.url, { ...seen, path: '/api/nope' })).toContain('no such operation')
})
