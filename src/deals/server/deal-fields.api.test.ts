import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkEveryField, samplesOf, twoPictures, type Samples } from '../../../test/every-field.ts'
import { aMerchant, get, post, type Person } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { dealFields, type DealFields } from '../deal.ts'

const values: Omit<Samples<DealFields>, 'image_url'> = {
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
  pictures = await twoPictures(app, '/api/uploads', cafe.authToken)
})
afterAll(() => app.close())

const send = (path: string, method: string, body: object) => post(app, path, body, { method, token: cafe.authToken })
const read = async (path: string) => (await get(app, path)).body
const create = async (values: object) => {
  const made = await send('/api/deals', 'POST', values)
  expect(made.status, made.text).toBe(201)
  return `/api/deals/${made.body.deal_id}`
}
const change = async (path: string, values: object) => {
  const { status, text } = await send(path, 'PUT', values)
  expect(status, text).toBe(200)
}

it('a deal loses no field that can be sent: made, changed, left alone, emptied', () =>
  checkEveryField(dealFields, { ...values, image_url: pictures }, { create, change, read }))

it('a copy of a deal has every field', async () => {
  const pairs = Object.entries(samplesOf(dealFields, { ...values, image_url: pictures }))
  const all = Object.fromEntries(pairs.map(([name, [first]]) => [name, first]))
  const path = await create(all)
  expect((await send(`${path}/duplicate`, 'POST', {})).body).toMatchObject(all)
})
