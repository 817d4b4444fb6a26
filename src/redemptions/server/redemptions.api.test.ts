import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { aMerchant, aVisitor, get, post, type Person } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { forgetClaims } from './redemptions.ts'

const evening = '2026-06-20T17:30:00Z'
const later = (seconds: number) => Temporal.Instant.from(evening).add({ seconds }).toString()

let app: TestApp
let bar: Person & { businessId: string }
let cafe: Person & { businessId: string }
let lena: Person
let visitors = 0

beforeAll(async () => {
  app = await startTestApp()
  bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
  cafe = await aMerchant(app, 'cafe@example.org')
  lena = await aVisitor(app)
})
afterAll(() => app.close())

const aDeal = (more: Record<string, unknown> = {}) =>
  addDeal(app.db, bar.businessId, 'Spritz', { redemption_mode: 'code', price_rappen: 800, ...more })
const claim = (deal: string, by: Person = lena) =>
  post(app, `/api/deals/${deal}/claim`, undefined, { token: by.authToken })
const redeem = (body: object, by: Person = bar) =>
  post(app, '/api/redemptions', { amount_chf: 8, ...body }, { token: by.authToken })
const another = () => aVisitor(app, `visitor${visitors++}@example.org`)
const salesOf = async (who: Person) =>
  (await get(app, `/api/business/${who.businessId}/stats`, who.authToken)).body.sales as number

/** Each test begins at the same time, without redemptions and counted wrong codes. */
async function atEvening() {
  await sql`delete from redemptions`.execute(app.db)
  await sql`delete from rate_limits`.execute(app.db)
  await moveTo(evening)
}

/** Tokens are valid for 15 minutes, so everybody logs in after the clock was set. */
async function moveTo(instant: string) {
  app.setNow(instant)
  const again = async (who: Person, path: string) => {
    const { status, body } = await post(app, path, { email: who.email, password: who.password })
    expect(status, JSON.stringify(body)).toBe(200)
    Object.assign(who, body)
  }
  await Promise.all([
    again(bar, '/api/business/login'),
    again(cafe, '/api/business/login'),
    again(lena, '/api/auth/login'),
  ])
}

describe('a visitor claims a deal', () => {
  it('and gets the code of the current step, and all codes until the claim expires', async () => {
    await atEvening()
    const { status, body } = await claim(await aDeal())
    expect(status).toBe(201)
    expect(body).toMatchObject({
      state: 'open',
      deal_name: 'Spritz',
      business_name: 'Bar Nord',
      price_chf: 8,
      expires_at: '2026-06-21T17:30:00.000Z',
      step_expires_at: '2026-06-20T17:30:30Z',
      server_now: '2026-06-20T17:30:00.000Z',
    })
    expect(body.code).toMatch(/^\d{6}$/)
    expect(body.qr_payload).toBe(`RK1:${body.claim_id.replaceAll('-', '').toUpperCase()}:${body.code}`)
    expect(body.codes).toMatch(/^(\d{6}){2881}$/)
    expect(body.codes.startsWith(body.code)).toBe(true)
  })

  it('twice, and holds the same claim', async () => {
    await atEvening()
    const deal = await aDeal()
    const first = await claim(deal)
    const second = await claim(deal)
    expect(second.body.claim_id).toBe(first.body.claim_id)
  })

  it('only with a visitor’s login, and while the deal is public, runs and needs a code', async () => {
    await atEvening()
    const codes = async (more: Record<string, unknown>) => (await claim(await aDeal(more))).body.code
    expect(await codes({ state: 'paused' })).toBe('deal_not_running')
    expect(await codes({ state: 'draft' })).toBe('deal_not_found')
    expect(await codes({ ends_at: '2026-06-20T17:00:00Z' })).toBe('deal_not_running')
    expect(await codes({ redemption_mode: 'none' })).toBe('no_code_needed')
    expect((await claim('nothing')).status).toBe(404)
    expect((await post(app, `/api/deals/${await aDeal()}/claim`)).status).toBe(401)
    expect((await claim(await aDeal(), bar)).status).toBe(403)
  })

  it('until the last item is taken, and again once somebody returns one', async () => {
    await atEvening()
    const deal = await aDeal({ total_limit: 1 })
    const first = await claim(deal)
    expect(first.status).toBe(201)
    const max = await another()
    const refused = await claim(deal, max)
    expect([refused.status, refused.body.code]).toEqual([409, 'sold_out'])
    const back = await get(app, `/api/me/claims/${first.body.claim_id}`, lena.authToken, { method: 'DELETE' })
    expect(back.status).toBe(204)
    expect((await claim(deal, max)).status).toBe(201)
    expect((await redeem({ payload: first.body.qr_payload })).body.code).toBe('expired')
  })

  it('and nobody else can return the claim', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const other = await get(app, `/api/me/claims/${body.claim_id}`, (await another()).authToken, { method: 'DELETE' })
    expect([other.status, other.body.code]).toEqual([404, 'claim_not_found'])
  })

  it('as often as the deal allows', async () => {
    await atEvening()
    const deal = await aDeal({ per_user_limit: 2 })
    for (const _ of [1, 2]) expect((await redeem({ payload: (await claim(deal)).body.qr_payload })).status).toBe(201)
    expect((await claim(deal)).body.code).toBe('limit_reached')
  })

  it('and finds it among the own codes, open ones first, in pages', async () => {
    await atEvening()
    const max = await another()
    const first = await claim(await aDeal(), max)
    await redeem({ code: first.body.code })
    for (const _ of [1, 2]) await claim(await aDeal(), max)
    const page = await get(app, '/api/me/claims?limit=2', max.authToken)
    expect(page.headers.get('x-total-count')).toBe('3')
    expect(page.body.map((row: { state: string }) => row.state)).toEqual(['open', 'open'])
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link')!)![1]!
    const rest = await get(app, next, max.authToken)
    expect(rest.body).toMatchObject([{ claim_id: first.body.claim_id, state: 'redeemed', code: null, codes: null }])
    expect((await get(app, '/api/me/claims?after=made-up', max.authToken)).status).toBe(400)
  })
})

describe('the merchant', () => {
  it('sees how many have claimed a code, also after unused claims or the visitor’s account are deleted', async () => {
    await atEvening()
    const deal = await aDeal()
    for (const by of [lena, await another()]) await claim(deal, by)
    const claimsOf = async () => {
      const { body } = await get(app, `/api/deals/business/${bar.businessId}`, bar.authToken)
      return body.find((each: { deal_id: string }) => each.deal_id === deal).figures.claims as number
    }
    expect(await claimsOf()).toBe(2)
    await forgetClaims(app.db, new Date('2026-07-20T00:00:00Z'))
    expect(await claimsOf()).toBe(2)
    await forgetClaims(app.db, new Date('2026-08-20T00:00:00Z'))
    expect(await claimsOf()).toBe(2)
    await claim(deal)
    expect(await claimsOf()).toBe(3)
    await sql`delete from deals where deal_id = ${deal}`.execute(app.db)
  })
})

describe('a merchant redeems', () => {
  it('a typed code, once, and the amount is a sale', async () => {
    await atEvening()
    const before = await salesOf(bar)
    const deal = await aDeal()
    const { body } = await claim(deal)
    const first = await redeem({ code: `${body.code.slice(0, 3)} ${body.code.slice(3)}`, amount_chf: 12.5 })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ state: 'redeemed', deal_name: 'Spritz', amount_chf: 12.5 })
    expect(await salesOf(bar)).toBe(before + 12.5)
    app.setNow(later(20))
    const second = await redeem({ code: body.code })
    expect([second.status, second.body.code]).toEqual([409, 'already_used'])
    expect(second.body.error).toBe('This code was already used at 19:30.')
    expect(await salesOf(bar)).toBe(before + 12.5)
  })

  it('and reads how much that is since 06:00, without what was undone', async () => {
    const tonight = async (who = bar) => (await get(app, '/api/redemptions/tonight', who.authToken)).body
    await atEvening()
    const sell = async (amount_chf: number) =>
      (await redeem({ code: (await claim(await aDeal())).body.code, amount_chf })).body.redemption_id as string
    expect(await tonight()).toEqual({ redeemed: 0, amount_chf: 0 })
    await sell(12.5)
    await post(app, `/api/redemptions/${await sell(8)}/undo`, undefined, { token: bar.authToken })
    await moveTo('2026-06-21T03:59:00Z')
    await sell(7)
    expect(await tonight()).toEqual({ redeemed: 2, amount_chf: 19.5 })
    expect(await tonight(cafe)).toEqual({ redeemed: 0, amount_chf: 0 })
    const stats = async () => (await get(app, `/api/business/${bar.businessId}/stats`, bar.authToken)).body.tonight
    // at 05:59 the last of 24 hours
    const { by_hour, ...sums } = await stats()
    expect(sums).toEqual({ redeemed: 2, amount_chf: 19.5, before: { redeemed: 0, amount_chf: 0 } })
    expect([by_hour.length, by_hour[23], by_hour.reduce((sum: number, n: number) => sum + n)]).toEqual([24, 1, 2])
    await moveTo('2026-06-21T04:00:00Z')
    expect(await tonight()).toEqual({ redeemed: 0, amount_chf: 0 })
    await moveTo('2026-06-28T03:58:00Z')
    expect(await stats()).toMatchObject({ redeemed: 0, before: { redeemed: 1, amount_chf: 12.5 } })
    await moveTo('2026-06-28T04:00:00Z')
    expect(await stats()).toMatchObject({ redeemed: 0, by_hour: [0], before: { redeemed: 0, amount_chf: 0 } })
  })

  it('and a refusal names the day if a code was used or becomes valid on another day', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    expect((await redeem({ code: body.code })).status).toBe(201)
    const early = await claim(await aDeal(), await another())
    await sql`update claims set usable_from = '2026-06-21T09:00:00Z' where claim_id = ${early.body.claim_id}`.execute(
      app.db,
    )
    expect((await redeem({ code: early.body.code })).body.error).toBe('This code is good from Sun 11:00.')
    await moveTo(later(5 * 3600))
    const again = await redeem({ code: body.codes.slice(6 * 600, 6 * 601) })
    expect(again.body.error).toBe('This code was already used on Sat at 19:30.')
  })

  it('the code of the current and the previous step: a screenshot is invalid after 60 seconds', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    app.setNow(later(60))
    expect((await redeem({ payload: body.qr_payload })).body.code).toBe('code_unknown')
    // neither the next code is valid nor the last but one
    expect((await redeem({ code: body.codes.slice(18, 24) })).body.code).toBe('code_unknown')
    app.setNow(later(59))
    expect((await redeem({ payload: body.qr_payload })).status).toBe(201)
  })

  it('no code of another business', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const scanned = await redeem({ payload: body.qr_payload }, cafe)
    expect([scanned.status, scanned.body.code]).toEqual([409, 'wrong_business'])
    expect((await redeem({ code: body.code }, cafe)).body.code).toBe('code_unknown')
    expect((await redeem({ payload: body.qr_payload })).status).toBe(201)
  })

  it('only in the hours of the deal', async () => {
    await atEvening()
    const early = await claim(await aDeal({ start_time: '20:00', end_time: '22:00' }))
    expect(early.body.usable_from).toBe('2026-06-20T18:00:00.000Z')
    const refused = await redeem({ payload: early.body.qr_payload })
    expect([refused.status, refused.body.error]).toEqual([409, 'This code is good from 20:00.'])
    const { body } = await claim(await aDeal({ ends_at: '2026-06-20T17:31:00Z' }))
    app.setNow(later(75))
    expect((await redeem({ code: body.codes.slice(12, 18) })).body.code).toBe('expired')
  })

  it('a checked code, while the amount is typed', async () => {
    await atEvening()
    const { body } = await claim(await aDeal({ price: 'CHF 8.–' }))
    const checked = await post(app, '/api/redemptions/check', { code: body.code }, { token: bar.authToken })
    expect(checked.status).toBe(200)
    expect(checked.body).toMatchObject({ deal_name: 'Spritz', price: 'CHF 8.–', price_chf: 8 })
    const { ticket } = checked.body
    expect((await redeem({ ticket: `${ticket}x` })).body.code).toBe('code_unknown')
    expect((await redeem({ ticket }, cafe)).body.code).toBe('code_unknown')
    app.setNow(later(299))
    expect((await redeem({ ticket })).status).toBe(201)
    app.setNow(later(301))
    expect((await redeem({ ticket })).body.code).toBe('code_unknown')
  })

  it('and a request that is sent again counts once', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const key = { idempotency_key: 'k'.repeat(20) }
    const [one, two] = await Promise.all([redeem({ code: body.code, ...key }), redeem({ code: body.code, ...key })])
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.redemption_id).toBe(two.body.redemption_id)
  })

  it('one of two codes that are sent with one key at once, and the other stays valid', async () => {
    await atEvening()
    const deals = [await aDeal(), await aDeal()]
    const codes = await Promise.all(deals.map(async (deal) => (await claim(deal)).body.code as string))
    const key = { idempotency_key: 'k'.repeat(21) }
    const answers = await Promise.all([...codes, ...codes].map((code) => redeem({ code, ...key })))
    const { body: list } = await get(app, '/api/redemptions', bar.authToken)
    expect(list).toHaveLength(1)
    const redeemed = deals.indexOf(list[0].deal_id)
    const [good, other] = [redeemed, 1 - redeemed].map((at) => [answers[at]!, answers[at + 2]!])
    expect(good!.map(({ body }) => body.redemption_id)).toEqual(Array(2).fill(list[0].redemption_id))
    expect(other!.map(({ body }) => body.code)).toEqual(Array(2).fill('idempotency_key_used'))
    expect((await redeem({ code: codes[1 - redeemed] })).status).toBe(201)
  })

  it('and the key is refused with another code or amount, but accepted for the same redemption in any form', async () => {
    await atEvening()
    const deal = await aDeal()
    const [one, two] = [(await claim(deal)).body, (await claim(deal, await another())).body]
    const key = { idempotency_key: 'k'.repeat(22) }
    const check = async (payload: string) =>
      (await post(app, '/api/redemptions/check', { payload }, { token: bar.authToken })).body.ticket as string
    const tickets = [await check(one.qr_payload), await check(two.qr_payload)]
    const sent = await redeem({ ticket: tickets[0], ...key })
    expect(sent.status).toBe(201)

    // by now the code has changed and the ticket has expired
    app.setNow(later(301))
    for (const same of [{ ticket: tickets[0] }, { code: one.code }, { payload: one.qr_payload }])
      expect((await redeem({ ...same, ...key })).body.redemption_id).toBe(sent.body.redemption_id)
    const others = [{ ticket: tickets[1] }, { code: two.code }, { payload: two.qr_payload }]
    for (const body of [...others, { ticket: tickets[0], amount_chf: 9 }]) {
      const { status, body: answer } = await redeem({ ...body, ...key })
      expect([status, answer.code, answer.redemption_id]).toEqual([409, 'idempotency_key_used', undefined])
    }
    // the other code is still valid
    expect((await redeem({ code: two.codes.slice(60, 66) })).status).toBe(201)
  })

  it.each([
    [{ amount_chf: -1 }],
    [{ amount_chf: 100_001 }],
    [{ amount_chf: 1.005 }],
    [{ amount_chf: '8' }],
    [{ amount_chf: null }],
    [{ code: undefined }],
    [{ payload: 'RK1:0:123456' }],
    [{ code: '123456', scanned_at: 'yesterday' }],
    [{ idempotency_key: 'short' }],
  ])('but no malformed input: %j', async (body) => {
    const given = { code: '123456', ...body }
    expect((await redeem('payload' in body ? { ...given, code: '1', payload: 'x' } : given)).status).toBe(400)
  })

  it('but guests, visitors and expired tokens do not', async () => {
    for (const [token, status] of [
      [null, 401],
      [lena.authToken, 403],
      ['dead', 401],
    ] as const) {
      const answer = await post(app, '/api/redemptions', { code: '123456', amount_chf: 1 }, token ? { token } : {})
      expect(answer.status).toBe(status)
    }
  })
})

describe('a redemption is undone', () => {
  it('within 15 minutes: the code is valid again, the item is available again, the amount is no sale', async () => {
    await atEvening()
    const before = await salesOf(bar)
    const deal = await aDeal({ total_limit: 1 })
    const { body } = await claim(deal)
    const { redemption_id, undo_until } = (await redeem({ code: body.code })).body
    expect(undo_until).toBe('2026-06-20T17:45:00Z')
    expect((await get(app, `/api/deals/${deal}`)).body.status).toBe('sold_out')
    const undo = () => post(app, `/api/redemptions/${redemption_id}/undo`, undefined, { token: bar.authToken })
    expect((await undo()).body).toMatchObject({ state: 'undone', undo_until: null })
    // safe to repeat
    expect((await undo()).status).toBe(200)
    expect(await salesOf(bar)).toBe(before)
    expect((await get(app, `/api/deals/${deal}`)).body.status).toBe('active')
    expect((await redeem({ code: body.code })).status).toBe(201)
  })

  it('neither later nor by somebody else', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const { redemption_id } = (await redeem({ code: body.code })).body
    const undo = (token: string) => post(app, `/api/redemptions/${redemption_id}/undo`, undefined, { token })
    expect((await undo(cafe.authToken)).status).toBe(404)
    await moveTo(later(901))
    const late = await undo(bar.authToken)
    expect([late.status, late.body.code]).toEqual([409, 'undo_too_late'])
  })

  it('from the list, which only the business sees', async () => {
    await atEvening()
    for (const _ of [1, 2]) await redeem({ code: (await claim(await aDeal())).body.code })
    const own = await get(app, '/api/redemptions?limit=1', bar.authToken)
    expect(own.body).toMatchObject([{ deal_name: 'Spritz', amount_chf: 8, state: 'redeemed' }])
    expect(own.headers.get('link')).toContain('rel="next"')
    expect((await get(app, '/api/redemptions', cafe.authToken)).body).toEqual([])
  })
})

describe('somebody who guesses codes', () => {
  /** QR codes of the claim with codes that it never shows. */
  function neverShown({ claim_id, codes }: { claim_id: string; codes: string }, count: number): string[] {
    const shown = new Set(codes.match(/\d{6}/g))
    const digits = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(6, '0')).filter(
      (code) => !shown.has(code),
    )
    return digits.slice(0, count).map((code) => `RK1:${claim_id.replaceAll('-', '')}:${code}`)
  }

  it('is stopped after ten tries, and a new device gains nothing', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const wrong = () =>
      String((Number(body.code) + 1 + Math.floor(Math.random() * 99_000)) % 1_000_000).padStart(6, '0')
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await redeem({ code: wrong(), device_id: crypto.randomUUID() })).status)
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429, 429])
    const right = await redeem({ code: body.code })
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    // the other business is not limited
    expect((await redeem({ code: '000000' }, cafe)).status).toBe(404)
  })

  it('is stopped on all devices of a business together', async () => {
    await atEvening()
    const devices = await Promise.all([1, 2, 3, 4].map((n) => addDevice({ name: `Till ${n}` })))
    const statuses: number[] = []
    for (const { device_id } of devices)
      for (let n = 0; n < 8; n++) statuses.push((await redeem({ code: '000000', device_id })).status)
    expect(statuses).toEqual([...Array<number>(30).fill(404), 429, 429])
    const refused = await redeem({ code: '000000' })
    expect([refused.body.code, refused.body.error]).toEqual([
      'too_many_wrong_codes',
      'Too many wrong codes. Please scan the QR code, or try again in 10 minutes.',
    ])
  })

  it('is stopped at one claim, whose typed code stays valid, as do QR codes of other claims', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const other = await claim(await aDeal(), await another())
    const statuses: number[] = []
    for (const payload of neverShown(body, 22)) statuses.push((await redeem({ payload })).status)
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429, 429])
    expect((await redeem({ payload: body.qr_payload })).status).toBe(429)
    expect((await redeem({ payload: other.body.qr_payload })).status).toBe(201)
    expect((await redeem({ code: body.code })).status).toBe(201)
  })

  it('at another business does not block a claim', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const rival = await aMerchant(app, 'rival@example.org')
    const statuses: number[] = []
    for (const payload of neverShown(body, 21)) statuses.push((await redeem({ payload }, rival)).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await redeem({ payload: body.qr_payload })).status).toBe(201)
  })

  it('does not stop valid QR codes, neither by old screenshots nor by wrong digits at every till', async () => {
    await atEvening()
    const { body: shown } = await claim(await aDeal())
    await moveTo(later(600))
    const tills = await Promise.all([1, 2, 3, 4, 5].map((n) => addDevice({ name: `Till ${n}` })))
    const [first, second, third, fourth, untouched] = tills.map(({ device_id }) => device_id) as [
      string,
      string,
      string,
      string,
      string,
    ]
    const old: number[] = []
    for (let n = 0; n < 10; n++) old.push((await redeem({ payload: shown.qr_payload, device_id: first })).status)
    expect(old).toEqual(Array<number>(10).fill(404))
    const typed: number[] = []
    for (const device_id of [first, second, third, fourth])
      for (let n = 0; n < 8; n++) typed.push((await redeem({ code: '000000', device_id })).status)
    expect(typed.filter((status) => status === 404)).toHaveLength(30)
    expect((await redeem({ code: '000000', device_id: untouched })).status).toBe(429)

    const scan = async (device_id: string) => {
      const { body } = await claim(await aDeal(), await another())
      const checked = await post(
        app,
        '/api/redemptions/check',
        { payload: body.qr_payload, device_id },
        { token: bar.authToken },
      )
      expect(checked.status).toBe(200)
      return (await redeem({ ticket: checked.body.ticket, device_id })).status
    }
    expect([await scan(untouched), await scan(first)]).toEqual([201, 201])
    // the owner of the screenshot reloads the page
    for (let n = 0; n < 20; n++) await redeem({ payload: shown.qr_payload, device_id: first })
    const { qr_payload } = (await claim(shown.deal_id)).body
    expect((await redeem({ payload: qr_payload, device_id: first })).status).toBe(201)
  })

  it('uses up no tries with right codes', async () => {
    await atEvening()
    for (let n = 0; n < 12; n++) {
      const { body } = await claim(await aDeal())
      expect((await redeem({ code: body.code })).status).toBe(201)
    }
  })
})

async function addDevice(body: object, who = bar) {
  const { status, body: device } = await post(app, `/api/business/${who.businessId}/devices`, body, {
    token: who.authToken,
  })
  expect(status, JSON.stringify(device)).toBe(201)
  return device as { device_id: string; device_secret: string | null; name: string }
}

describe('an offline till', () => {
  it('sends its scans later; they are checked for the moment of the scan, with a clock ten minutes off', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const { body } = await claim(await aDeal())
    await moveTo(later(3 * 3600))
    const scan = {
      payload: body.qr_payload,
      device_id,
      // scanned 40 s after the claim, by a clock that is ten minutes ahead
      scanned_at: later(40 + 600),
      clock_offset_ms: -600_000,
      idempotency_key: 'scan-of-the-bar-phone',
    }
    const sent = await redeem(scan)
    expect(sent.status).toBe(201)
    expect(sent.body).toMatchObject({ redeemed_at: '2026-06-20T17:30:40.000Z', device_name: 'Bar phone' })
    expect((await redeem(scan)).body.redemption_id).toBe(sent.body.redemption_id)
    // without the offset of its clock, the moment is wrong
    const { body: other } = await claim(await aDeal(), await another())
    const wrong = { ...scan, payload: other.qr_payload, clock_offset_ms: 0, idempotency_key: 'another-scan-of-it' }
    expect((await redeem(wrong)).body.code).toBe('code_unknown')
  })

  it('sends a scan of a code that had just changed, with a clock six seconds behind', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const { body } = await claim(await aDeal())
    app.setNow(later(32))
    // the step began two seconds ago, but not yet by the clock of the till
    const code = body.codes.slice(6, 12)
    const scan = { code, device_id, scanned_at: later(26), clock_offset_ms: 0, idempotency_key: 'scan-of-a-slow-clock' }
    const sent = await redeem(scan)
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    expect((await redeem(scan)).body.redemption_id).toBe(sent.body.redemption_id)
    // an online till goes by the server's clock
    const { body: other } = await claim(await aDeal(), await another())
    expect((await redeem({ code: other.codes.slice(6, 12) })).body.code).toBe('code_unknown')
  })

  it('gets a conflict shown when a code was used twice', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const { body } = await claim(await aDeal())
    expect((await redeem({ code: body.code })).status).toBe(201)
    const before = await salesOf(bar)
    const scan = {
      code: body.code,
      device_id,
      scanned_at: later(0),
      clock_offset_ms: 0,
      idempotency_key: 'a-double-use-of-a-code',
      amount_chf: 99,
    }
    for (const _ of ['first', 'again']) {
      const sent = await redeem(scan)
      expect([sent.status, sent.body.code]).toEqual([409, 'already_used'])
    }
    const { body: rows } = await get(app, '/api/redemptions?limit=2', bar.authToken)
    expect(rows).toMatchObject([
      { state: 'conflict', reason: 'already_used', amount_chf: 99, device_name: 'Bar phone', undo_until: null },
      { state: 'redeemed' },
    ])
    expect(await salesOf(bar)).toBe(before)
  })

  it('leaves a conflict in the list if the device was removed before it could send', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const { body } = await claim(await aDeal())
    const address = `/api/business/${bar.businessId}/devices/${device_id}`
    expect((await get(app, address, bar.authToken, { method: 'DELETE' })).status).toBe(204)
    const scan = {
      code: body.code,
      device_id,
      scanned_at: later(0),
      clock_offset_ms: 0,
      idempotency_key: 'a-scan-of-a-removed-till',
      amount_chf: 12,
    }
    for (const _ of ['first', 'again']) {
      const sent = await redeem(scan)
      expect([sent.status, sent.body.code]).toEqual([409, 'device_unknown'])
    }
    const { body: rows } = await get(app, '/api/redemptions', bar.authToken)
    expect(rows).toMatchObject([{ state: 'conflict', reason: 'device_unknown', amount_chf: 12, device_name: null }])
  })

  it('sends scans for 12 hours, from a registered device, and none from the future', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const { body } = await claim(await aDeal())
    const scan = { code: body.code, scanned_at: later(0), clock_offset_ms: 0 }
    expect((await redeem(scan)).body.code).toBe('device_unknown')
    expect((await redeem({ ...scan, device_id: crypto.randomUUID() })).body.code).toBe('device_unknown')
    expect((await redeem({ ...scan, device_id, scanned_at: later(31) })).status).toBe(400)
    await moveTo(later(12 * 3600 + 60))
    expect((await redeem({ ...scan, device_id })).body.code).toBe('expired')
  })

  it('cannot redeem an item that somebody else got meanwhile', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const deal = await aDeal({ total_limit: 1, end_time: '20:00', start_time: '19:00' })
    const { body } = await claim(deal)
    await sql`update deals set start_time = null, end_time = null where deal_id = ${deal}`.execute(app.db)
    await moveTo(later(3600))
    expect((await claim(deal, await another())).status).toBe(201)
    const sent = await redeem({ code: body.code, device_id, scanned_at: later(0), clock_offset_ms: 0 })
    expect([sent.status, sent.body.code]).toEqual([409, 'limit_reached'])
  })
})

describe('a code that its visitor returns after a till has read it', () => {
  const giveBack = async (claimId: string) =>
    expect((await get(app, `/api/me/claims/${claimId}`, lena.authToken, { method: 'DELETE' })).status).toBe(204)

  /** A till has read the first code; its visitor has returned it and claimed another. */
  async function oneReadAndOneOpen() {
    await atEvening()
    const deal = await aDeal()
    const first = (await claim(deal)).body
    const given = { payload: first.qr_payload }
    const { body: read } = await post(app, '/api/redemptions/check', given, { token: bar.authToken })
    app.setNow(later(20))
    await giveBack(first.claim_id)
    return { read: { ticket: read.ticket }, open: { payload: (await claim(deal)).body.qr_payload } }
  }

  it('counts, and the code that the visitor has claimed meanwhile lapses', async () => {
    const { read, open } = await oneReadAndOneOpen()
    expect((await redeem(read)).status).toBe(201)
    expect((await redeem(open)).body.code).toBe('expired')
  })

  it('does not count if the visitor has redeemed the deal as often as allowed', async () => {
    const { read, open } = await oneReadAndOneOpen()
    expect((await redeem(open)).status).toBe(201)
    const sent = await redeem(read)
    expect([sent.status, sent.body.code]).toEqual([409, 'limit_reached'])
  })

  it('counts when the till sends its offline scan; scans made later do not', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const deal = await aDeal({ total_limit: 2 })
    const { body } = await claim(deal)
    app.setNow(later(20))
    await giveBack(body.claim_id)
    app.setNow(later(40))
    const scan = { payload: body.qr_payload, device_id, clock_offset_ms: 0 }
    const after = await redeem({ ...scan, scanned_at: later(20) })
    expect([after.status, after.body.code]).toEqual([409, 'expired'])
    expect((await redeem({ payload: body.qr_payload })).body.code).toBe('expired')
    expect((await redeem({ ...scan, scanned_at: later(19) })).status).toBe(201)
    const { body: own } = await get(app, '/api/me/claims?limit=100', lena.authToken)
    expect(own).toContainEqual(expect.objectContaining({ claim_id: body.claim_id, state: 'redeemed' }))
    expect((await redeem({ ...scan, scanned_at: later(18) })).body.code).toBe('already_used')
  })

  it('counts only while the deal has an item left', async () => {
    await atEvening()
    const { device_id } = await addDevice({ name: 'Bar phone' })
    const deal = await aDeal({ total_limit: 1 })
    const { body } = await claim(deal)
    app.setNow(later(20))
    await giveBack(body.claim_id)
    expect((await claim(deal, await another())).status).toBe(201)
    const scan = { payload: body.qr_payload, device_id, clock_offset_ms: 0, scanned_at: later(5) }
    const sent = await redeem({ ...scan, idempotency_key: 'a-scan-of-a-code-given-back' })
    expect([sent.status, sent.body.code]).toEqual([409, 'limit_reached'])
    const { body: rows } = await get(app, '/api/redemptions', bar.authToken)
    expect(rows).toMatchObject([{ state: 'conflict', reason: 'limit_reached' }])
  })

  it('counts while the amount is typed', async () => {
    await atEvening()
    const { body } = await claim(await aDeal())
    const { ticket } = (await post(app, '/api/redemptions/check', { code: body.code }, { token: bar.authToken })).body
    app.setNow(later(20))
    await giveBack(body.claim_id)
    expect((await redeem({ ticket })).status).toBe(201)
  })
})

describe('a redeem-only device', () => {
  it('opens with its PIN, redeems and undoes what it has redeemed itself, and sees nothing else', async () => {
    await atEvening()
    const { device_id, device_secret } = await addDevice({ name: 'Terrace', pin: '4711' })
    const unlocked = await post(app, '/api/till/unlock', { device_id, device_secret, pin: '4711' })
    expect(unlocked.status).toBe(200)
    expect(unlocked.body).toMatchObject({ business_name: 'Bar Nord', name: 'Terrace' })
    const { till_token } = unlocked.body
    const { body } = await claim(await aDeal())
    expect((await post(app, '/api/till/check', { till_token, code: body.code })).body.deal_name).toBe('Spritz')
    const done = await post(app, '/api/till/redemptions', { till_token, code: body.code, amount_chf: 8 })
    expect(done.body).toMatchObject({ state: 'redeemed', device_name: 'Terrace' })
    const undo = (id: string) => post(app, `/api/till/redemptions/${id}/undo`, { till_token })
    expect((await undo(done.body.redemption_id)).body.state).toBe('undone')
    const byOwner = await redeem({ code: body.code })
    expect((await undo(byOwner.body.redemption_id)).status).toBe(404)
    expect((await get(app, '/api/redemptions', till_token)).status).toBe(401)
    app.setNow(later(12 * 3600 + 1))
    expect((await post(app, '/api/till/check', { till_token, code: '123456' })).status).toBe(401)
  })

  it('redeems nothing once it is removed', async () => {
    await atEvening()
    const { device_id, device_secret } = await addDevice({ name: 'Terrace', pin: '4711' })
    const { till_token } = (await post(app, '/api/till/unlock', { device_id, device_secret, pin: '4711' })).body
    const address = `/api/business/${bar.businessId}/devices`
    const remove = (token: string) => get(app, `${address}/${device_id}`, token, { method: 'DELETE' })
    expect((await remove(cafe.authToken)).status).toBe(404)
    expect((await remove(bar.authToken)).status).toBe(204)
    expect((await remove(bar.authToken)).body.code).toBe('device_not_found')
    expect((await post(app, '/api/till/redemptions', { till_token, code: '123456', amount_chf: 1 })).status).toBe(401)
    // another code than for a wrong PIN, so that the device can be registered again
    const unlocked = await post(app, '/api/till/unlock', { device_id, device_secret, pin: '4711' })
    expect([unlocked.status, unlocked.body.code]).toEqual([404, 'device_not_found'])
  })

  it('lets nobody guess its PIN', async () => {
    await atEvening()
    const { device_id, device_secret } = await addDevice({ name: 'Terrace', pin: '4711' })
    const tryPin = (pin: string, secret = device_secret) =>
      post(app, '/api/till/unlock', { device_id, device_secret: secret, pin })
    // without the device's secret no try is counted, so nobody elsewhere can lock it
    for (let n = 0; n < 6; n++) expect((await tryPin('4711', 'guessed')).status).toBe(401)
    for (let n = 0; n < 5; n++) expect((await tryPin('0000')).status).toBe(401)
    expect((await tryPin('4711')).status).toBe(429)
  })

  it('needs a PIN of 4 to 8 digits, and a business has 20 devices at most', async () => {
    await atEvening()
    const add = (body: object) => post(app, `/api/business/${cafe.businessId}/devices`, body, { token: cafe.authToken })
    for (const pin of ['123', '123456789', 'abcd', '١٢٣٤']) expect((await add({ name: 'Till', pin })).status).toBe(400)
    const added = await Promise.all(Array.from({ length: 22 }, (_, n) => add({ name: `Till ${n}` })))
    expect(added.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(added.find(({ status }) => status !== 201)!.body.code).toBe('too_many_devices')
    const listed = await get(app, `/api/business/${cafe.businessId}/devices`, cafe.authToken)
    expect(listed.body).toHaveLength(20)
    expect(JSON.stringify(listed.body)).not.toContain('secret')
  })
})
