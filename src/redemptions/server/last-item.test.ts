import { expect, it, vi } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { aMerchant, aVisitor, get, post } from '../../../test/people.ts'
import { anotherInstance, appForTest } from '../../../test/start-app.ts'

vi.setConfig({ testTimeout: 240_000 }) // two instances and a crowd, and the machine may be busy

const visitors = 8
/** Of one business at once; more wait for their turn, as somebody who guesses does. */
const tills = 8
const rounds = 2

it('of a deal goes to exactly one visitor, and is redeemed exactly once, with two instances', async () => {
  const app = await appForTest({ now: null })
  const bar = await aMerchant(app)
  const crowd = []
  for (let n = 0; n < visitors; n++) crowd.push(await aVisitor(app, `visitor${n}@example.org`))
  const other = await anotherInstance(app)
  const instances = [app, other]
  for (let round = 0; round < rounds; round++) {
    const more = { redemption_mode: 'code', total_limit: 1 }
    const deal = await addDeal(app.db, bar.businessId, `Last item ${round}`, more)
    const claims = await Promise.all(
      crowd.map(({ authToken }, n) =>
        post(instances[n % 2]!, `/api/deals/${deal}/claim`, undefined, { token: authToken }),
      ),
    )
    const winners = claims.filter(({ status }) => status === 201)
    expect(winners).toHaveLength(1)
    const others = claims.filter(({ status }) => status !== 201)
    expect(others.map(({ body }) => body.code)).toEqual(others.map(() => 'sold_out'))

    const { qr_payload: payload } = winners[0]!.body
    const answers = await Promise.all(
      Array.from({ length: tills }, (_, n) =>
        post(instances[n % 2]!, '/api/redemptions', { payload, amount_chf: 1 }, { token: bar.authToken }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'already_used'))
    expect((await get(app, `/api/deals/${deal}`)).body.status).toBe('sold_out')
  }
  const stats = await get(other, `/api/business/${bar.businessId}/stats`, bar.authToken)
  expect(stats.body.sales).toBe(rounds)
})
