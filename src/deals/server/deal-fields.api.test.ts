import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aMerchant, get, post, type Person } from '../../../test/people.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { dealFields, type DealFields } from '../deal.ts'

type Writable = {
  [Name in keyof DealFields]: DealFields[Name] extends { input: unknown } ? Name : never
}[keyof DealFields]

/** Two values of each field that a merchant sends, as answers have them. */
const values: Record<Exclude<Writable, 'image_url'>, [first: unknown, second: unknown]> = {
  deal_name: ['Fondue for two', 'Raclette for two'],
  description: ['From six o’clock.', 'From seven.'],
  price: ['42.–', 'one Fünfliber'],
  discount: ['-20 %', '2 for 1'],
  category: ['food', 'drinks'],
  terms: ['Not with other offers.', 'One a table.'],
  tags: [['Käse', 'vegetarian'], ['Käse']],
  starts_at: ['2026-06-20T16:00:00.000Z', '2026-06-20T17:00:00.000Z'],
  ends_at: ['2026-06-28T00:00:00.000Z', '2026-06-27T00:00:00.000Z'],
  active_days: [[5, 6], [6]],
  start_time: ['18:00', '19:00'],
  end_time: ['02:00', '03:00'],
  price_chf: [42, 40],
  regular_price_chf: [52.5, 50],
  regular_price_since: ['2026-05-01', '2026-05-02'],
  total_limit: [40, 50],
  per_user_limit: [2, 3],
  redemption_mode: ['code', 'none'],
  latitude: [47.55, 47.56],
  longitude: [7.6, 7.59],
}

let app: TestApp
let cafe: Person & { businessId: string }
let pictures: [string, string]
beforeAll(async () => {
  app = await startTestApp()
  cafe = await aMerchant(app)
  pictures = [await aPicture('red'), await aPicture('blue')]
})
afterAll(() => app.close())

async function aPicture(background: string): Promise<string> {
  const form = new FormData()
  const bytes = await sharp({ create: { width: 80, height: 50, channels: 3, background } })
    .png()
    .toBuffer()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'deal.png')
  const headers = { authorization: `Bearer ${cafe.authToken}` }
  return (await api(app, '/api/uploads', { method: 'POST', body: form, headers })).body.url
}
const send = (path: string, method: string, body: object) => post(app, path, body, { method, token: cafe.authToken })
const sample = (which: 0 | 1): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(values).map(([name, pair]) => [name, pair[which]])),
  image_url: pictures[which],
})

it('every field that can be sent is stored, changed, read and emptied', async () => {
  const first = sample(0)
  const writable = Object.entries(dealFields).filter(([, field]) => 'input' in field)
  expect(Object.keys(first).toSorted()).toEqual(writable.map(([name]) => name).toSorted())
  const made = await send('/api/deals', 'POST', first)
  expect(made.status, made.text).toBe(201)
  const path = `/api/deals/${made.body.deal_id}`
  const read = async () => (await get(app, path)).body
  expect(await read()).toMatchObject(first)

  // fields that are checked together are sent together
  const changed = await send(path, 'PUT', sample(1))
  expect(changed.status, changed.text).toBe(200)
  expect(await read()).toMatchObject(sample(1))
  // a save without a field keeps it
  expect((await send(path, 'PUT', { deal_name: 'Raclette' })).status).toBe(200)
  expect(await read()).toMatchObject({ ...sample(1), deal_name: 'Raclette' })

  const emptied = Object.fromEntries(writable.map(([name]) => [name, name === 'deal_name' ? 'Raclette' : null]))
  expect((await send(path, 'PUT', emptied)).status).toBe(200)
  const empty = writable.map(([name, field]) => [name, 'empty' in field ? field.empty : null])
  expect(await read()).toMatchObject({ ...Object.fromEntries(empty), deal_name: 'Raclette' })
})

it('a copy has every field', async () => {
  const made = await send('/api/deals', 'POST', { ...sample(0), deal_name: 'Copied' })
  const { body } = await send(`/api/deals/${made.body.deal_id}/duplicate`, 'POST', {})
  expect(body).toMatchObject({ ...sample(0), deal_name: 'Copied' })
})
