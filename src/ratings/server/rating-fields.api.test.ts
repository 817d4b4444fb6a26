import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { checkEveryField } from '../../../test/every-field.ts'
import { aMerchant, aVisitor, get, post } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { ratingFields } from '../rating.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('a rating loses no field that can be sent: made, changed, emptied', async () => {
  const bar = await aMerchant(app)
  const lena = await aVisitor(app)
  const deal = await addDeal(app.db, bar.businessId, 'Spritz', {})
  const read = async () => (await get(app, `/api/deals/${deal}/ratings`)).body[0]
  const put = async (path: string, body: object, token: string) => {
    const { status, text } = await post(app, path, body, { method: 'PUT', token })
    expect(status, text).toBe(200)
  }
  // stars and comment are of the visitor, the reply is of the merchant
  const change = async (_: string, { reply, ...said }: Record<string, unknown>) => {
    await put(`/api/deals/${deal}/rating`, said, lena.authToken)
    await put(`/api/ratings/${(await read()).rating_id}/reply`, { reply }, bar.authToken)
  }
  const create = async (values: Record<string, unknown>) => {
    await change('', values)
    return ''
  }
  await checkEveryField(
    ratingFields,
    {
      stars: [4, 5],
      comment: ['Cold and fair.', 'Still cold.'],
      reply: ['Come again!', 'Thank you.'],
    },
    { create, change, read },
    { needed: ['stars'], replaces: true },
  )
})
