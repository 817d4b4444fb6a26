import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { besideTheApp, waitingForLocks } from '../../../test/locks.ts'
import { aMerchant, aVisitor, get, post, type Person } from '../../../test/people.ts'
import { anotherInstance, startTestApp, type TestApp } from '../../../test/start-app.ts'

vi.setConfig({ testTimeout: 240_000 }) // two instances and a crowd, and the machine may be busy

const visitors = 8
/** Tills of one business that redeem at once; more would be limited like guesses. */
const tills = 8
const rounds = 2

let app: TestApp
let bar: Person & { businessId: string }
const crowd: Person[] = []
beforeAll(async () => {
  app = await startTestApp({ now: null })
  bar = await aMerchant(app)
  for (let n = 0; n < visitors; n++) crowd.push(await aVisitor(app, `visitor${n}@example.org`))
})
afterAll(() => app.close())

const lastItem = (name: string) => addDeal(app.db, bar.businessId, name, { redemption_mode: 'code', total_limit: 1 })

type Answer = Awaited<ReturnType<typeof post>>
/** The only 201 among the answers; all others are refused with `code`. */
function onlyWinner(answers: Answer[], code: string): Answer {
  const winners = answers.filter(({ status }) => status === 201)
  expect(winners).toHaveLength(1)
  const others = answers.filter(({ status }) => status !== 201)
  expect(others.map(({ body }) => body.code)).toEqual(others.map(() => code))
  return winners[0]!
}

it('the last item of a deal goes to one visitor and is redeemed once, on two instances', async () => {
  const other = await anotherInstance(app)
  const instances = [app, other]
  for (let round = 0; round < rounds; round++) {
    const deal = await lastItem(`Last item ${round}`)
    const claims = await Promise.all(
      crowd.map(({ authToken }, n) =>
        post(instances[n % 2]!, `/api/deals/${deal}/claim`, undefined, { token: authToken }),
      ),
    )
    const { qr_payload: payload } = onlyWinner(claims, 'sold_out').body
    const answers = await Promise.all(
      Array.from({ length: tills }, (_, n) =>
        post(instances[n % 2]!, '/api/redemptions', { payload, amount_chf: 1 }, { token: bar.authToken }),
      ),
    )
    onlyWinner(answers, 'already_used')
    expect((await get(app, `/api/deals/${deal}`)).body.status).toBe('sold_out')
  }
  const stats = await get(other, `/api/business/${bar.businessId}/stats`, bar.authToken)
  expect(stats.body.sales).toBe(rounds)
})

it('the last item goes to one visitor and is redeemed once, also when the database breaks off meanwhile', async () => {
  const instances = [app, await anotherInstance(app)]
  const deal = await lastItem('The very last one')
  /** Like a phone: retries while the database is away. */
  const insist = (...call: Parameters<typeof post>) =>
    vi.waitFor(async () => {
      const answer = await post(...call)
      expect(answer.status).not.toBe(503)
      return answer
    }, 90_000)
  const brokenOff = async (calls: () => Promise<Answer>[]) => {
    let answers: Promise<Answer[]> | undefined
    await besideTheApp(app, async (trx) => {
      await sql`select from deals where deal_id = ${deal} for update`.execute(trx)
      answers = Promise.all(calls())
      await waitingForLocks(app, tills)
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`.execute(trx)
    })
    return (await answers)!
  }
  const claims = await brokenOff(() =>
    crowd.map(({ authToken }, n) =>
      insist(instances[n % 2]!, `/api/deals/${deal}/claim`, undefined, { token: authToken }),
    ),
  )
  const { qr_payload: payload } = onlyWinner(claims, 'sold_out').body
  const sold = async () => (await get(app, `/api/business/${bar.businessId}/stats`, bar.authToken)).body.sales
  const before = await sold()
  // checked once, then redeemed by all tills at the same moment
  const { ticket } = (await insist(app, '/api/redemptions/check', { payload }, { token: bar.authToken })).body
  const answers = await brokenOff(() =>
    Array.from({ length: tills }, (_, n) =>
      insist(
        instances[n % 2]!,
        '/api/redemptions',
        { ticket, amount_chf: 1, idempotency_key: `${deal} ${n}` },
        { token: bar.authToken },
      ),
    ),
  )
  onlyWinner(answers, 'already_used')
  expect((await sold()) - before).toBe(1)
})
