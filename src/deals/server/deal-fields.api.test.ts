import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectEveryField, twoPictures, type Samples } from '../../../test/every-field.ts'
import { aMerchant, get, post } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { dealFields, type DealFields } from '../deal.ts'

let app: TestApp
let token: string
let samples: Samples<DealFields>
beforeAll(async () => {
  app = await startTestApp()
  token = (await aMerchant(app)).authToken
  samples = {
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
    image_url: await twoPictures(app, token, '/api/uploads'),
    latitude: [47.55, 47.56],
    longitude: [7.6, 7.59],
  }
})
afterAll(() => app.close())

const send = (path: string, method: string, body: object) => post(app, path, body, { method, token })
async function aDeal(body: object): Promise<string> {
  const made = await send('/api/deals', 'POST', body)
  expect(made.status, made.text).toBe(201)
  return `/api/deals/${made.body.deal_id}`
}

it('no field of a deal that can be sent is lost', async () => {
  let path = ''
  await expectEveryField(dealFields, samples, {
    make: async (body) => (path = await aDeal(body)),
    change: (body) => send(path, 'PUT', body),
    read: async () => (await get(app, path)).body,
  })
})

it('a copy has every field', async () => {
  const first = Object.fromEntries(Object.entries(samples).map(([name, [value]]) => [name, value]))
  const path = await aDeal({ ...first, deal_name: 'Copied' })
  const { body } = await send(`${path}/duplicate`, 'POST', {})
  expect(body).toMatchObject({ ...first, deal_name: 'Copied' })
})
