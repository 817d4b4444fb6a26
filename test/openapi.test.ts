import { Document, Spectral } from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import { Json } from '@stoplight/spectral-parsers'
import { expect, it } from 'vitest'
import { addBusiness, addDeal } from './cast.ts'
import { undocumented } from './documented.ts'
import { api, appForTest } from './start-app.ts'

/**
 * Writes that are open to everybody on purpose: the ways to an account, what nobody need log in to say or
 * see, and events of the payment provider, which are signed. They
 * are limited per address. (Counting a view and writing to the organisers take a token without needing one, which the rule
 * counts as restricted.)
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
  // a till of a bar: a device with a token of its own, or the login of its business
  'POST /api/till/check',
  'POST /api/till/redemptions',
  'POST /api/till/redemptions/{redemption_id}/undo',
  'POST /api/till/unlock',
]

/** Whose address is the key, for those who can send no other: friends and their calendars. */
const secretAddresses = ['GET /api/shared/{token}', 'GET /api/schedule/feed/{token}.ics']

it('the OpenAPI document passes the OWASP API rules, but for the writes that are open on purpose', async () => {
  const app = await appForTest()
  const { body } = await api(app, '/api/openapi.json')
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[owasp as never, 'all']] })
  const found = await spectral.run(new Document(JSON.stringify(body), Json as never, 'openapi.json'))
  const errors = found.filter(({ severity }) => severity === 0)
  const named = (path: (string | number)[]) => `${String(path[2]).toUpperCase()} ${String(path[1])}`
  const open = errors.filter(({ code }) => code === 'owasp:api2:2023-write-restricted').map(({ path }) => named(path))
  expect(open.toSorted()).toEqual(openWrites)
  // what staff may do lies in other rooms too, so these share their key with more than /api/admin
  const shared = errors.filter(({ code }) => code === 'owasp:api5:2023-admin-security-unique')
  const { paths } = body as { paths: Record<string, Record<string, { security?: unknown }>> }
  for (const { path } of shared) expect(paths[path[1]!]![path[2]!]!.security, named(path)).toEqual([{ staff: [] }])
  expect(
    errors
      .filter((error) => error.code !== 'owasp:api2:2023-write-restricted' && !shared.includes(error))
      .filter(
        ({ code, path }) => code !== 'owasp:api2:2023-no-credentials-in-url' || !secretAddresses.includes(named(path)),
      )
      .map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`),
  ).toEqual([])
})

it('an answer that is not as documented fails any story', async () => {
  const app = await appForTest()
  const seen = { method: 'GET', path: '/api/deals/search', status: 200, contentType: 'application/json', text: '[]' }
  expect(await undocumented(app.url, seen)).toBeNull()
  expect(await undocumented(app.url, { ...seen, text: '[{"deal_id":"x"}]' })).toContain('required property')
  // rules that write their answers field by field are not cut to their contract: in the tests nothing is more than it names
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
