import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { aVisitor, crowd, get, logIn, post, type Person } from '../../../test/people.ts'
import { saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { fillOpenings } from '../../businesses/server/businesses.ts'
import type { Deal } from '../../deals/contract.ts'
import { dealAction, type DealViewer } from '../policy.ts'

vi.setConfig({ testTimeout: 240_000 }) // thousands of requests

const instants = 40
const stepMinutes = 4 * 60 + 13
/** One visitor for a few instants: an account can claim only so often in an hour. */
const instantsEach = 2

let app: TestApp
let dealIds: string[]
const visitors: Person[] = []
beforeAll(async () => {
  app = await startTestApp({ demo: true })
  dealIds = (await app.db.selectFrom('deals').select('deal_id').execute()).map(({ deal_id }) => deal_id)
  for (let n = 0; n < instants / instantsEach; n++) visitors.push(await aVisitor(app, `visitor${n}@example.org`))
})
afterAll(() => app.close())

const visitor: DealViewer = { session: 'user', role: 'user', businessId: null, holdsCode: false, redeemed: 0 }

it('the button of a deal is never refused, at 40 instants of the festival week', async () => {
  const start = Temporal.Instant.from(saturdayEvening).subtract({ hours: 48 })
  const offered: Record<string, number> = {}
  const refused: string[] = []
  for (let step = 0; step < instants; step++) {
    const now = start.add({ minutes: step * stepMinutes }).toString()
    app.setNow(now)
    await fillOpenings({ db: app.db, clock: { now: () => Temporal.Instant.from(now) } })
    const { authToken: token } = await logIn(app, '/api/auth/login', visitors[Math.floor(step / instantsEach)]!.email)
    const answers = await crowd(dealIds.length, (n) => get(app, `/api/deals/${dealIds[n]!}`))
    for (const { status, body } of answers) {
      if (status !== 200) continue
      const deal = body as Deal
      const { is } = dealAction(deal, visitor, Date.parse(now))
      offered[is] = (offered[is] ?? 0) + 1
      const what = `${now} ${deal.deal_name}: ${is}`
      if (is === 'show_at_counter' && (deal.status !== 'active' || deal.usable_now === false)) refused.push(what)
      // a deal that can be used now is not hidden behind a later time
      if (is === 'save' && deal.usable_now) refused.push(what)
      if (is !== 'get_code') continue
      // one at a time: claims of one visitor wait for each other
      const claim = await post(app, `/api/deals/${deal.deal_id}/claim`, undefined, { token })
      if (claim.status !== 201) refused.push(`${what}, ${claim.body.code}`)
      else await get(app, `/api/me/claims/${claim.body.claim_id}`, token, { method: 'DELETE' })
    }
  }
  expect(refused).toEqual([])
  // every kind of button appeared
  expect(Object.keys(offered).toSorted()).toEqual(['get_code', 'none', 'save', 'show_at_counter'])
})
