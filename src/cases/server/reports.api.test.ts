import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { upgrade } from '../../../test/paying.ts'
import {
  aMerchant,
  aVisitor,
  everyPage,
  get,
  goodPassword,
  logIn,
  mailsTo,
  mailTo,
  post,
  type Person,
} from '../../../test/people.ts'
import { aModerator, suspendConfirmed, undoConfirmed } from '../../../test/staff.ts'
import { saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { newId } from '../../kit/server/ids.ts'
import type { ReportCase } from '../contract.ts'
import { casePersonalData } from './personal-data.ts'
import { decisionsOn } from './store.ts'

let app: TestApp
let bar: Person & { businessId: string }
let lena: Person
let max: Person
let staff: string

beforeAll(async () => {
  app = await startTestApp()
  bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
  lena = await aVisitor(app)
  max = await aVisitor(app, 'max@example.org')
  staff = await aModerator(app)
  for (const who of [bar, lena, max]) await confirm(who.email)
})
afterAll(() => app.close())

/** Only confirmed addresses get mail. */
const confirm = (email: string) =>
  app.db
    .updateTable('accounts')
    .set({ verified_at: new Date('2026-06-01T00:00:00Z') })
    .where('email', '=', email)
    .execute()

const aDeal = (name: string) => addDeal(app.db, bar.businessId, name)
const report = (deal: string, who: Person, body: object = {}) =>
  post(app, `/api/deals/${deal}/report`, body, { token: who.authToken })
const decide = (found: ReportCase, body: object, key?: string) =>
  post(app, `/api/admin/reports/${found.case_id}`, body, {
    token: staff,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })
const listed = async (state = 'open') =>
  (await get(app, `/api/admin/reports?state=${state}`, staff)).body as ReportCase[]
async function caseOf(name: string, state = 'open'): Promise<ReportCase> {
  const found = (await listed(state)).find(({ deal_name }) => deal_name === name)
  expect(found, `${state} case of ${name}`).toBeDefined()
  return found!
}
const entries = async () =>
  (await get(app, '/api/admin/log?action=decide-report', staff)).body as { entry_id: string; object_name: string }[]

/** Mails about a decision wait 20 seconds; this skips the wait. */
async function wait20s() {
  await sql`update jobs.job set start_after = now() where name in ('tell-report', 'tell-suspension')`.execute(app.db)
  await app.runJobs()
}

describe('a reported deal', () => {
  it('is one case, however many people report it, and each of them counts once', async () => {
    const deal = await aDeal('Free gold')
    expect((await report(deal, lena, { why: 'misleading', note: 'It is brass.' })).status).toBe(204)
    expect((await report(deal, lena, { why: 'offensive' })).status).toBe(204)
    expect((await report(deal, max)).status).toBe(204)
    expect(await caseOf('Free gold')).toMatchObject({
      kind: 'deal',
      deal_id: deal,
      business_name: 'Bar Nord',
      reports: 2,
      whys: [{ why: 'misleading', count: 1 }],
      notes: ['It is brass.'],
      state: 'open',
    })
  })

  it('that staff hide disappears for everybody; its merchant gets a mail and cannot bring it back', async () => {
    const deal = await aDeal('Hidden thing')
    await report(deal, lena)
    const found = await caseOf('Hidden thing')
    const { status, body } = await decide(found, { decision: 'hide', reason: 'It is not true.' }, 'hide-once')
    expect([status, body.state]).toEqual([200, 'hidden'])
    // A retry gets the same answer and changes nothing.
    expect((await decide(found, { decision: 'hide', reason: 'It is not true.' }, 'hide-once')).status).toBe(200)
    expect((await entries()).filter(({ object_name }) => object_name.startsWith('Hidden thing'))).toHaveLength(1)
    expect((await decide(found, { decision: 'hide', reason: 'Twice.' })).body.code).toBe('already_decided')
    expect((await decide(found, { decision: 'hide', reason: ' ' })).body.fields).toHaveProperty('reason')

    expect((await get(app, `/api/deals/${deal}`)).status).toBe(404)
    expect((await get(app, `/api/deals/${deal}/ratings`)).status).toBe(404)
    for (const list of ['/api/deals?limit=100', `/api/deals/business/${bar.businessId}`, '/api/deals/search'])
      expect(JSON.stringify((await get(app, list)).body), list).not.toContain(deal)
    for (const way of ['resume', 'pause', 'duplicate'])
      expect((await post(app, `/api/deals/${deal}/${way}`, undefined, { token: bar.authToken })).body.code).toBe(
        'deal_hidden',
      )
    const own = await get(app, `/api/deals/business/${bar.businessId}`, bar.authToken)
    expect(own.body.find((each: { deal_id: string }) => each.deal_id === deal)).toMatchObject({ status: 'archived' })
    await wait20s()
    const mail = await mailTo(app, bar.email, 'Hidden thing')
    expect(mail.text).toContain('It is not true.')

    expect((await decide(found, { decision: 'restore' })).body.state).toBe('dismissed')
    expect((await get(app, `/api/deals/${deal}`)).body.status).toBe('active')
    await wait20s()
    await mailTo(app, bar.email, 'Hidden thing.*visible again')
  })

  it('that staff hide is no longer announced to those who saved its merchant, nor are the deals of a suspended merchant', async () => {
    const stall = await aMerchant(app, 'stall@example.org', { business_name: 'Stall Ost' })
    const tom = await aVisitor(app, 'tom.of.stall@example.org')
    await get(app, `/api/favorites/business/${stall.businessId}`, tom.authToken, { method: 'PUT' })
    const publish = async (deal_name: string) => {
      const answer = await post(app, '/api/deals', { deal_name }, { token: stall.authToken })
      expect(answer.status, answer.text).toBe(201)
      await app.runJobs()
      return answer.body.deal_id as string
    }
    const news = async () =>
      (await get(app, '/api/notifications', tom.authToken)).body.map(({ text }: { text: string }) => text) as string[]
    const deal = await publish('Free gold at the stall')
    expect(await news()).toEqual([expect.stringContaining('Free gold at the stall')])
    await report(deal, lena)
    await decide(await caseOf('Free gold at the stall'), { decision: 'hide', reason: 'It is brass.' })
    await app.runJobs()
    expect(await news()).toEqual([])
    await publish('Silver')
    expect(await news()).toHaveLength(1)
    const body = { business_id: stall.businessId, reason: 'Still brass' }
    await suspendConfirmed(app, staff, body)
    await app.runJobs()
    expect(await news()).toEqual([])
    await post(app, `/api/admin/suspensions/${stall.businessId}/lift`, undefined, { token: staff })
  })

  it('that staff restore is paused if its tier allows no further deal, and the others stay as they are', async () => {
    const small = await aMerchant(app, 'small@example.org')
    const deals = []
    for (let n = 0; n < 10; n++) deals.push(await addDeal(app.db, small.businessId, `Small ${n}`))
    await report(deals[0]!, lena)
    await decide(await caseOf('Small 0'), { decision: 'hide', reason: 'It is not true.' })
    const taken = await addDeal(app.db, small.businessId, 'Small 10')
    await decide(await caseOf('Small 0', 'decided'), { decision: 'restore' })
    const own = await get(app, `/api/deals/business/${small.businessId}?limit=20`, small.authToken)
    const statusOf = (id: string) => own.body.find((each: { deal_id: string }) => each.deal_id === id).status
    expect([deals[0]!, deals[9]!, taken].map(statusOf)).toEqual(['paused', 'active', 'active'])
  })

  it('that was dismissed can be reported again by the same person once its merchant has changed it', async () => {
    const deal = await aDeal('Honest thing')
    await report(deal, lena)
    await decide(await caseOf('Honest thing'), { decision: 'dismiss' })
    // The deal was last changed before the decision.
    await report(deal, lena)
    expect(await caseOf('Honest thing', 'decided')).toMatchObject({ reports: 1 })
    app.setNow(app.now().add({ seconds: 5 }).toString())
    const put = { method: 'PUT', token: bar.authToken }
    expect((await post(app, `/api/deals/${deal}`, { deal_name: 'Free money' }, put)).status).toBe(200)
    await report(deal, lena)
    expect(await caseOf('Free money')).toMatchObject({ reports: 1, state: 'open' })
    app.setNow(saturdayEvening)
  })

  it('that staff hide shows its merchant the reason in the list and the bell; staff see when no mail can be sent', async () => {
    const owner = await aMerchant(app, 'unconfirmed@example.org')
    const deal = await addDeal(app.db, owner.businessId, 'Quiet thing')
    await report(deal, lena)
    const hidden = await decide(await caseOf('Quiet thing'), { decision: 'hide', reason: 'The price is wrong.' })
    expect(hidden.body).toMatchObject({ state: 'hidden', mailed: false })
    const own = async () => (await get(app, `/api/deals/business/${owner.businessId}`, owner.authToken)).body[0]
    expect(await own()).toMatchObject({ status: 'archived', hidden_reason: 'The price is wrong.' })
    await wait20s()
    const bell = async () =>
      (await get(app, '/api/notifications', owner.authToken)).body.map(({ text }: { text: string }) => text)
    expect(await bell()).toEqual(['The festival has hidden your deal “Quiet thing”'])
    expect((await mailsTo(app, owner.email)).filter(({ subject }) => subject.includes('Quiet thing'))).toEqual([])

    const restored = await decide(await caseOf('Quiet thing', 'decided'), { decision: 'restore' })
    expect(restored.body).toMatchObject({ mailed: false })
    expect(await own()).toMatchObject({ status: 'active', hidden_reason: null })
    await wait20s()
    expect(await bell()).toContain('Your deal “Quiet thing” is visible again')

    await confirm(owner.email)
    const again = await decide(await caseOf('Quiet thing', 'decided'), { decision: 'hide', reason: 'Still wrong.' })
    expect(again.body).toMatchObject({ mailed: true })
  })

  it('comes back as it was by an undo in the log, without a notice, and a second undo is refused', async () => {
    const deal = await aDeal('Undone thing')
    await report(deal, lena)
    await decide(await caseOf('Undone thing'), { decision: 'hide', reason: 'It is not true.' })
    const entry = (await entries()).find(({ object_name }) => object_name.startsWith('Undone thing'))!
    const undo = () => post(app, `/api/admin/log/${entry.entry_id}/undo`, undefined, { token: staff })
    expect((await undo()).body.kept).toEqual([])
    expect((await get(app, `/api/deals/${deal}`)).status).toBe(200)
    expect((await caseOf('Undone thing')).state).toBe('open')
    expect((await undo()).status).toBe(409)
    await wait20s()
    expect((await mailsTo(app, bar.email)).filter(({ subject }) => subject.includes('Undone thing'))).toEqual([])
  })

  it('is hidden again with its old reason when its restoration is undone', async () => {
    const owner = await aMerchant(app, 'restored@example.org')
    await report(await addDeal(app.db, owner.businessId, 'Restored thing'), lena)
    await decide(await caseOf('Restored thing'), { decision: 'hide', reason: 'The price is wrong.' })
    await decide(await caseOf('Restored thing', 'decided'), { decision: 'restore' })
    const [entry] = (await entries()).filter(({ object_name }) => object_name.startsWith('Restored thing'))
    expect((await post(app, `/api/admin/log/${entry!.entry_id}/undo`, undefined, { token: staff })).status).toBe(200)
    expect(await caseOf('Restored thing', 'decided')).toMatchObject({ state: 'hidden', reason: 'The price is wrong.' })
    const own = (await get(app, `/api/deals/business/${owner.businessId}`, owner.authToken)).body
    expect(own).toMatchObject([{ status: 'archived', hidden_reason: 'The price is wrong.' }])
  })

  it('keeps a newer decision when an older one is undone, even if both decided the same', async () => {
    const deal = await aDeal('Twice hidden thing')
    await report(deal, lena)
    await decide(await caseOf('Twice hidden thing'), { decision: 'hide', reason: 'It is not true.' })
    const first = (await entries()).find(({ object_name }) => object_name.startsWith('Twice hidden thing'))!
    const decideAgain = async (body: object) => decide(await caseOf('Twice hidden thing', 'decided'), body)
    await decideAgain({ decision: 'restore' })
    await decideAgain({ decision: 'hide', reason: 'The police asked for it.' })
    const undo = (id: string) => post(app, `/api/admin/log/${id}/undo`, undefined, { token: staff })
    expect((await undo(first.entry_id)).body.code).toBe('changed_later')
    expect((await get(app, `/api/deals/${deal}`)).status).toBe(404)
    // Undone one after the other, the newest first, all can be undone.
    const all = (await entries()).filter(({ object_name }) => object_name.startsWith('Twice hidden thing'))
    for (const { entry_id } of all) expect((await undo(entry_id)).body.kept).toEqual([])
    expect((await caseOf('Twice hidden thing')).state).toBe('open')
    expect((await get(app, `/api/deals/${deal}`)).status).toBe(200)
  })

  it('that was dismissed is open again when somebody else reports it', async () => {
    const deal = await aDeal('Fine thing')
    await report(deal, lena)
    expect((await decide(await caseOf('Fine thing'), { decision: 'dismiss' })).body.state).toBe('dismissed')
    await report(deal, lena)
    expect((await caseOf('Fine thing', 'decided')).reports).toBe(1)
    await report(deal, max)
    expect((await caseOf('Fine thing')).reports).toBe(2)
    expect((await mailsTo(app, bar.email)).filter(({ subject }) => subject.includes('Fine thing'))).toEqual([])
  })

  it('must be visible to visitors, and its reason a known one', async () => {
    const draft = await addDeal(app.db, bar.businessId, 'Draft', { state: 'draft' })
    expect((await report(draft, lena)).status).toBe(404)
    expect((await report(newId(), lena)).status).toBe(404)
    expect((await report(await aDeal('x'), lena, { why: 'boring' })).status).toBe(400)
    expect((await report(await aDeal('y'), lena, { note: 'x'.repeat(501) })).status).toBe(400)
  })
})

it('a reported rating does not count while it is hidden, and its author is notified', async () => {
  const deal = await aDeal('Rated thing')
  const put = { method: 'PUT', token: max.authToken }
  const rating = await post(app, `/api/deals/${deal}/rating`, { stars: 1, comment: 'Liars!' }, put)
  await post(app, `/api/deals/${deal}/rating`, { stars: 5 }, { ...put, token: lena.authToken })
  const reportIt = (body: object | undefined, who: Person) =>
    post(app, `/api/ratings/${rating.body.rating_id}/report`, body, { token: who.authToken })
  expect((await reportIt({ why: 'boring' }, bar)).status).toBe(400)
  expect((await reportIt({ why: 'offensive', note: 'Rude words.' }, bar)).status).toBe(204)
  const found = await caseOf('Rated thing')
  expect(found).toMatchObject({ kind: 'rating', rating: { stars: 1, comment: 'Liars!' }, reports: 1 })
  expect(found).toMatchObject({ whys: [{ why: 'offensive', count: 1 }], notes: ['Rude words.'] })
  await decide(found, { decision: 'hide', reason: 'It is not true.' })
  const mean = async () => {
    const { rating_mean, rating_count } = (await get(app, `/api/deals/${deal}`)).body
    return [rating_mean, rating_count]
  }
  expect(await mean()).toEqual([5, 1])
  expect((await get(app, `/api/deals/${deal}/ratings`)).text).not.toContain('Liars!')
  expect((await get(app, `/api/business/${bar.businessId}/ratings`)).text).not.toContain('Liars!')
  await wait20s()
  await mailTo(app, max.email, 'Rated thing')
  // Its author writes it again: it stays hidden.
  await post(app, `/api/deals/${deal}/rating`, { stars: 2, comment: 'Still.' }, put)
  expect(await mean()).toEqual([5, 1])
  await decide(await caseOf('Rated thing', 'decided'), { decision: 'restore' })
  expect(await mean()).toEqual([3.5, 2])
})

it('a dismissed rating can be reported again by the same person once its author has changed it', async () => {
  const evening = '2026-06-20T17:30:00Z'
  const later = (seconds: number) => Temporal.Instant.from(evening).add({ seconds }).toString()
  const deal = await aDeal('Edited thing')
  const write = (comment: string) =>
    post(app, `/api/deals/${deal}/rating`, { stars: 1, comment }, { method: 'PUT', token: max.authToken })
  const { body } = await write('Meh.')
  const reportIt = () => post(app, `/api/ratings/${body.rating_id}/report`, undefined, { token: bar.authToken })
  app.setNow(evening)
  await reportIt()
  await decide(await caseOf('Edited thing'), { decision: 'dismiss' })
  app.setNow(later(1))
  await reportIt()
  expect(await caseOf('Edited thing', 'decided')).toMatchObject({ reports: 1 })
  await write('Liars and thieves!')
  app.setNow(later(2))
  for (const _ of ['first', 'again']) expect((await reportIt()).status).toBe(204)
  const reopened = await caseOf('Edited thing')
  expect(reopened).toMatchObject({ reports: 1, rating: { comment: 'Liars and thieves!' } })
  // The merchant's export leaves out a reopened case.
  const told = async () => (await decisionsOn(app.db, bar.businessId)).map(({ subject_id }) => subject_id)
  expect(await told()).not.toContain(body.rating_id)
  // Decided again, it is in the export again.
  await decide(reopened, { decision: 'dismiss' })
  expect(await told()).toContain(body.rating_id)
  await reportIt()
  expect(await caseOf('Edited thing', 'decided')).toMatchObject({ reports: 1 })
})

it('a hidden rating that its author deletes stays hidden when they write it again', async () => {
  const deal = await aDeal('Twice rated thing')
  const put = { method: 'PUT', token: max.authToken }
  const path = `/api/deals/${deal}/rating`
  const hideIt = async () => {
    const { body } = await post(app, path, { stars: 1, comment: 'Liars!' }, put)
    await post(app, `/api/ratings/${body.rating_id}/report`, undefined, { token: bar.authToken })
    await decide(await caseOf('Twice rated thing'), { decision: 'hide', reason: 'It is not true.' })
  }
  await hideIt()
  const remove = () => post(app, path, undefined, { method: 'DELETE', token: max.authToken })
  expect((await remove()).status).toBe(204)
  expect((await remove()).body.code).toBe('rating_not_found')
  const seenBy = async (token?: string) => (await get(app, `/api/deals/${deal}/ratings`, token)).body
  expect(await seenBy(max.authToken)).toEqual([])
  await post(app, path, { stars: 2, comment: 'Liars again!' }, put)
  expect(await seenBy()).toEqual([])
  expect((await get(app, `/api/deals/${deal}`)).body).toMatchObject({ rating_mean: null, rating_count: 0 })

  // Deleted after it was restored: the case is gone, and the author can rate again.
  await remove()
  await decide(await caseOf('Twice rated thing', 'decided'), { decision: 'restore' })
  expect((await get(app, `/api/deals/${deal}`)).body).toMatchObject({ rating_mean: null, rating_count: 0 })
  await post(app, path, { stars: 4 }, put)
  expect(await seenBy()).toMatchObject([{ stars: 4, comment: null }])
})

/** A new merchant with two deals, one of them promoted, and a visitor with a code. */
async function aBusiness(name: string) {
  const email = `${name.toLowerCase()}@example.org`
  const owner = await aMerchant(app, email, { business_name: name })
  await confirm(email)
  const at = { latitude: 47.5596, longitude: 7.5886 }
  await app.db
    .updateTable('businesses')
    .set({ ...at, featured_until: new Date('2026-12-01T00:00:00Z') })
    .where('business_id', '=', owner.businessId)
    .execute()
  const coded = await addDeal(app.db, owner.businessId, `${name} Spritz`, { ...at, redemption_mode: 'code' })
  const paused = await addDeal(app.db, owner.businessId, `${name} Soup`, { ...at, state: 'paused' })
  const claim = (await post(app, `/api/deals/${coded}/claim`, undefined, { token: lena.authToken })).body
  return { owner, name, coded, paused, claim }
}
const suspend = (business_id: string, reason: string, key?: string) =>
  suspendConfirmed(app, staff, { business_id, reason }, key)
const lift = (businessId: string) => post(app, `/api/admin/suspensions/${businessId}/lift`, undefined, { token: staff })
const logged = async (action: string, name: string) =>
  (
    (await get(app, `/api/admin/log?action=${action}`, staff)).body as { entry_id: string; object_name: string }[]
  ).filter(({ object_name }) => object_name === name)
const publicLists = (name: string) => [
  `/api/deals?q=${name}`,
  '/api/deals?limit=100',
  '/api/deals/search?limit=100',
  '/api/deals/search?sponsored=true',
  '/api/deals/search?view=map',
  '/api/business?limit=100',
  `/api/business?q=${name}`,
  '/api/business/search?limit=100',
  '/api/business/search?view=map',
]
const sitemaps = async () =>
  [...(await get(app, '/sitemap.xml')).text.matchAll(/<loc>[^<]*?(\/sitemap-(?:businesses|deals)[^<]*)<\/loc>/g)].map(
    ([, path]) => path!,
  )
const mentions = async ({ owner, name, coded }: Awaited<ReturnType<typeof aBusiness>>) => {
  const found: string[] = []
  for (const path of [...publicLists(name), ...(await sitemaps())]) {
    const { text } = await get(app, path)
    if ([owner.businessId, coded].some((id) => text.includes(id))) found.push(path)
  }
  for (const path of [`/api/business/${owner.businessId}`, `/api/deals/${coded}`])
    if ((await get(app, path)).status === 200) found.push(path)
  return found
}

describe('a suspended business', () => {
  it('disappears for everybody; its merchant reads why and cannot publish; everything returns when it is lifted', async () => {
    const bad = await aBusiness('Badbar')
    const { owner, coded, paused, claim } = bad
    const everywhere = publicLists(bad.name).length + 2 + (await sitemaps()).length
    expect(await sitemaps()).toHaveLength(2)
    expect(await mentions(bad)).toHaveLength(everywhere)
    await report(coded, max)
    expect(await caseOf('Badbar Spritz')).toMatchObject({ business_suspended: false })
    const first = await suspend(owner.businessId, 'Wrong prices.', 'suspend-once')
    expect(first.body).toMatchObject({ business_name: 'Badbar', suspended_reason: 'Wrong prices.' })
    const wanted = { type: 'business_suspended', channels: ['in_app', 'email'] }
    const asked = { method: 'PATCH', token: owner.authToken }
    expect((await post(app, '/api/notifications/settings', wanted, asked)).body.types).toContainEqual(
      expect.objectContaining({ ...wanted, mailed_anyway: true }),
    )
    expect((await suspend(owner.businessId, 'Wrong prices.', 'suspend-once')).status).toBe(200)
    expect((await suspend(owner.businessId, 'Again.')).body.code).toBe('already_decided')
    expect(await logged('suspend-business', 'Badbar')).toMatchObject([{ reason: 'Wrong prices.' }])
    expect(await caseOf('Badbar Spritz')).toMatchObject({ business_suspended: true })
    expect((await get(app, '/api/admin/suspensions', staff)).body).toMatchObject([{ business_name: 'Badbar' }])

    // Maps are cached for a second.
    await expect.poll(() => mentions(bad), { timeout: 90_000 }).toEqual([])
    for (const path of [
      `/api/deals/${paused}`,
      `/api/deals/business/${owner.businessId}`,
      `/api/business/${owner.businessId}/ratings`,
    ])
      expect((await get(app, path)).status, path).toBe(404)
    expect((await post(app, `/api/deals/${coded}/claim`, undefined, { token: max.authToken })).status).toBe(404)

    const by = { token: owner.authToken }
    expect((await get(app, `/api/business/${owner.businessId}`, owner.authToken)).status).toBe(200)
    const own = (await get(app, `/api/business/${owner.businessId}/subscription`, owner.authToken)).body
    expect(own).toMatchObject({ suspended_reason: 'Wrong prices.', suspended_at: expect.any(String) })
    expect((await post(app, '/api/deals', { deal_name: 'New' }, by)).body).toMatchObject({
      status: 'draft',
      notice_code: 'bySuspension',
    })
    for (const call of [
      post(app, `/api/deals/${paused}/resume`, undefined, by),
      post(app, `/api/deals/${coded}`, { price: '1' }, { ...by, method: 'PUT' }),
      post(app, '/api/payments/create-promo-session', undefined, by),
    ])
      expect((await call).body.code).toBe('business_suspended')
    // A code that a visitor already has still works.
    const redeemed = await post(app, '/api/redemptions', { payload: claim.qr_payload, amount_chf: 8 }, by)
    expect(redeemed.status).toBe(201)

    await wait20s()
    expect((await mailTo(app, owner.email, 'Badbar.*suspended')).text).toContain('Wrong prices.')
    const bell = async () =>
      (await get(app, '/api/notifications', owner.authToken)).body.map(({ text }: { text: string }) => text)
    expect(await bell()).toEqual(['Badbar is suspended: visitors no longer see it'])
    // One mail, although the merchant also chose mails for this type of notification.
    const notices = app.db.selectFrom('notifications').select('mail_due_at').where('type', '=', wanted.type)
    expect(await notices.execute()).toEqual([{ mail_due_at: null }])

    expect((await lift(owner.businessId)).body.suspended_at).toBeNull()
    expect((await lift(owner.businessId)).body.code).toBe('already_decided')
    await expect.poll(() => mentions(bad), { timeout: 90_000 }).toHaveLength(everywhere)
    expect((await get(app, `/api/deals/${paused}`)).body.status).toBe('paused')
    await wait20s()
    await mailTo(app, owner.email, 'Badbar.*visible again')
    expect(await bell()).toHaveLength(2)
  })

  it('comes back by an undo in the log without a notice; a deal that was hidden separately stays hidden', async () => {
    const bad = await aBusiness('Undobar')
    const { owner, coded } = bad
    await report(coded, max)
    await suspend(owner.businessId, 'By mistake.')
    await decide(await caseOf('Undobar Spritz'), { decision: 'hide', reason: 'It is not true.' })
    const [entry] = await logged('suspend-business', 'Undobar')
    const undo = (id: string) => undoConfirmed(app, staff, id)
    expect((await undo(entry!.entry_id)).body.kept).toEqual([])
    expect((await get(app, `/api/business/${owner.businessId}`)).status).toBe(200)
    expect((await get(app, `/api/deals/${coded}`)).status).toBe(404)
    await wait20s()
    expect((await mailsTo(app, owner.email)).filter(({ subject }) => subject.includes('suspended'))).toEqual([])

    // A deal restored while its merchant is suspended appears once the suspension is lifted.
    await suspend(owner.businessId, 'Again.')
    await decide(await caseOf('Undobar Spritz', 'decided'), { decision: 'restore' })
    expect((await get(app, `/api/deals/${coded}`)).status).toBe(404)
    await lift(owner.businessId)
    expect((await get(app, `/api/deals/${coded}`)).body.status).toBe('active')
    const [lifted] = await logged('lift-suspension', 'Undobar')
    await suspend(owner.businessId, 'A third time.')
    expect((await undo(lifted!.entry_id)).body.code).toBe('changed_later')
  })

  it('is suspended only after staff confirm how many deals disappear, and read how many people saved them', async () => {
    const { owner, coded } = await aBusiness('Zahlenbar')
    for (const [person, path] of [
      [lena, `deal/${coded}`],
      [lena, `business/${owner.businessId}`],
      [max, `deal/${coded}`],
    ] as const)
      await post(app, `/api/favorites/${path}`, undefined, { method: 'PUT', token: person.authToken })
    const body = { business_id: owner.businessId, reason: 'Too loud.' }
    const path = '/api/admin/suspensions'
    const before = (await get(app, '/api/admin/log?limit=1', staff)).body
    const dry = await post(app, path, { ...body, dry_run: true }, { token: staff })
    // A paused deal is not counted: nobody sees it.
    const reach = { kind: 'deal', hidden: 2, shown: 0, changed: 0, people: 2 }
    expect(dry.body).toMatchObject({ reach })
    expect(await post(app, path, body, { token: staff })).toMatchObject({
      status: 409,
      body: { code: 'unconfirmed', error: expect.stringContaining('2 people have saved') },
    })
    expect((await get(app, `/api/business/${owner.businessId}`)).status).toBe(200)
    expect((await get(app, '/api/admin/log?limit=1', staff)).body).toEqual(before)
    expect((await post(app, path, { ...body, confirmed: 2 }, { token: staff })).body).toMatchObject({ reach })
    // The undo, and the undo of the undo.
    for (const [status, shown] of [
      [200, 2],
      [404, 0],
    ] as const) {
      const [entry] = (await get(app, '/api/admin/log?limit=1', staff)).body as { entry_id: string }[]
      const undone = await undoConfirmed(app, staff, entry!.entry_id)
      expect(undone.body.reach).toEqual({ ...reach, shown, hidden: 2 - shown })
      expect((await get(app, `/api/business/${owner.businessId}`)).status).toBe(status)
      expect((await get(app, `/api/deals/${coded}`)).status).toBe(status)
    }
    expect((await get(app, path, staff)).body[0]).toMatchObject({ suspended_reason: 'Too loud.' })
  })

  it('whose suspension was lifted keeps that: an undo of the suspension is refused and names the later change', async () => {
    const { owner } = await aBusiness('Zweimalbar')
    await suspend(owner.businessId, 'By mistake.')
    await lift(owner.businessId)
    const [entry] = await logged('suspend-business', 'Zweimalbar')
    const before = (await get(app, '/api/admin/log?limit=1', staff)).body
    expect(await post(app, `/api/admin/log/${entry!.entry_id}/undo`, undefined, { token: staff })).toMatchObject({
      status: 409,
      body: {
        code: 'changed_later',
        error: expect.stringMatching(/ changed “Zweimalbar” later, on 20\.06\. at \d\d:\d\d\. Undo that first\.$/),
      },
    })
    expect((await get(app, '/api/admin/log?limit=1', staff)).body).toEqual(before)
  })

  it('stays suspended when an older suspension with the same reason is undone', async () => {
    const { owner } = await aBusiness('Spambar')
    await suspend(owner.businessId, 'Spam.')
    await lift(owner.businessId)
    await suspend(owner.businessId, 'Spam.')
    const [newer, older] = await logged('suspend-business', 'Spambar')
    const undo = (id: string) => undoConfirmed(app, staff, id)
    expect((await undo(older!.entry_id)).body.code).toBe('changed_later')
    expect((await get(app, `/api/business/${owner.businessId}`)).status).toBe(404)
    expect((await undo(newer!.entry_id)).body.kept).toEqual([])
    expect((await get(app, `/api/business/${owner.businessId}`)).status).toBe(200)
  })

  it('with an unconfirmed address gets no mail, and staff see that', async () => {
    const owner = await aMerchant(app, 'unheard@example.org')
    expect((await suspend(owner.businessId, 'Wrong prices.')).body).toMatchObject({ mailed: false })
    await confirm(owner.email)
    expect((await lift(owner.businessId)).body).toMatchObject({ mailed: true })
  })

  it('loses its name in the log, also in entries about its deals, once its account is deleted', async () => {
    const grill = await aMerchant(app, 'grill@example.org', { business_name: 'Gone Grill' })
    const deal = await addDeal(app.db, grill.businessId, 'Sausage of the past')
    await report(deal, lena)
    await decide(await caseOf('Sausage of the past'), { decision: 'hide', reason: 'No grill' })
    const body = { business_id: grill.businessId, reason: 'No grill' }
    expect((await suspendConfirmed(app, staff, body)).status).toBeLessThan(300)
    const names = async () => {
      const { rows } = await sql<{ object_name: string }>`select object_name from audit_entries`.execute(app.db)
      return rows.map(({ object_name }) => object_name).join()
    }
    expect(await names()).toContain('Sausage of the past (Gone Grill)')
    const { account_id } = await app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('business_id', '=', grill.businessId)
      .executeTakeFirstOrThrow()
    await app.db.transaction().execute((trx) =>
      casePersonalData.forget(trx, {
        accountId: account_id,
        businessId: grill.businessId,
        verifiedEmail: null,
        givenEmail: grill.email,
      }),
    )
    expect(await names()).not.toMatch(/Grill|Sausage/)
  })

  it('needs a reason and an existing business to be suspended', async () => {
    expect((await suspend(bar.businessId, ' ')).body.fields).toHaveProperty('reason')
    expect((await suspend(newId(), 'x')).status).toBe(404)
    expect((await suspend('x', 'x')).status).toBe(404)
    expect((await lift(newId())).status).toBe(404)
  })
})

describe('a business whose account waits to be deleted', () => {
  const ask = (owner: Person) =>
    post(app, '/api/me', { password: goodPassword }, { method: 'DELETE', token: owner.authToken })
  const comeBack = async (owner: Person) =>
    Object.assign(owner, await logIn(app, '/api/business/login', owner.email)).authToken
  const keep = (token: string) => post(app, '/api/me/keep', undefined, { token })

  it('disappears for everybody and gives out no new codes; existing codes still work; everything returns if the account stays', async () => {
    const going = await aBusiness('Gehbar')
    const { owner, coded, paused, claim } = going
    const everywhere = await mentions(going)
    expect((await ask(owner)).status).toBe(202)
    const text = (await mailTo(app, owner.email, 'will be deleted')).text.replace(/\s+/g, ' ')
    for (const said of [
      'Nobody can get a new code',
      'stay valid until they expire',
      'Your subscription ends',
      'not paused or refunded',
    ])
      expect(text).toContain(said)

    await expect.poll(() => mentions(going), { timeout: 90_000 }).toEqual([])
    expect((await post(app, `/api/deals/${coded}/claim`, undefined, { token: max.authToken })).status).toBe(404)
    expect((await get(app, `/api/deals/${coded}/ratings`)).status).toBe(404)

    const by = { token: await comeBack(owner) }
    expect((await get(app, `/api/business/${owner.businessId}`, by.token)).status).toBe(200)
    expect((await get(app, `/api/deals/business/${owner.businessId}`, by.token)).body).toMatchObject([
      { status: 'archived', hidden_with_merchant: true, hidden_reason: null },
      { status: 'archived', hidden_with_merchant: true, hidden_reason: null },
    ])
    expect((await post(app, '/api/deals', { deal_name: 'New' }, by)).body).toMatchObject({
      status: 'draft',
      notice_code: 'whileLeaving',
    })
    for (const call of [
      post(app, `/api/deals/${paused}/resume`, undefined, by),
      post(app, `/api/deals/${coded}`, { price: '1' }, { ...by, method: 'PUT' }),
      post(app, '/api/payments/create-promo-session', undefined, by),
      upgrade(app, by.token, 'PREMIUM'),
    ])
      expect(await call).toMatchObject({ status: 409, body: { code: 'business_leaving' } })
    const redeemed = await post(app, '/api/redemptions', { payload: claim.qr_payload, amount_chf: 8 }, by)
    expect(redeemed.status).toBe(201)

    expect((await keep(by.token)).status).toBe(200)
    await expect.poll(() => mentions(going), { timeout: 90_000 }).toEqual(everywhere)
    expect((await get(app, `/api/deals/${paused}`)).body.status).toBe('paused')
    expect((await post(app, `/api/deals/${coded}/claim`, undefined, { token: max.authToken })).status).toBe(201)
  })

  it('and that is also suspended returns only when neither is the case', async () => {
    const { owner, coded } = await aBusiness('Doppelbar')
    const isPublic = async () => [
      (await get(app, `/api/business/${owner.businessId}`)).status,
      (await get(app, `/api/deals/${coded}`)).status,
    ]
    await ask(owner)
    await suspend(owner.businessId, 'Wrong prices.')
    await keep(await comeBack(owner))
    expect(await isPublic()).toEqual([404, 404])
    await ask(owner)
    await lift(owner.businessId)
    expect(await isPublic()).toEqual([404, 404])
    await keep(await comeBack(owner))
    expect(await isPublic()).toEqual([200, 200])
  })
})

it('a reported rating that its author deletes leaves the list of reports, also a dismissed one', async () => {
  const deal = await aDeal('Taken back thing')
  const path = `/api/deals/${deal}/rating`
  const rateAndReport = async (who: Person) => {
    const { body } = await post(app, path, { stars: 1, comment: 'Liars!' }, { method: 'PUT', token: who.authToken })
    await post(app, `/api/ratings/${body.rating_id}/report`, undefined, { token: bar.authToken })
    return caseOf('Taken back thing')
  }
  const remove = (who: Person) => post(app, path, undefined, { method: 'DELETE', token: who.authToken })
  const cases = async () =>
    [...(await listed()), ...(await listed('decided'))].map(({ case_id }) => case_id).filter((id) => made.includes(id))
  const made = [(await rateAndReport(max)).case_id]
  expect(await cases()).toEqual(made)
  expect((await remove(max)).status).toBe(204)
  expect(await cases()).toEqual([])
  const left = await rateAndReport(lena)
  made.push(left.case_id)
  expect((await decide(left, { decision: 'dismiss' })).status).toBe(200)
  expect((await remove(lena)).status).toBe(204)
  expect(await cases()).toEqual([])
})

it('staff can report deals and ratings themselves, and decide about them', async () => {
  const deal = await aDeal('Found by staff')
  const { body } = await post(app, `/api/deals/${deal}/rating`, { stars: 1 }, { method: 'PUT', token: max.authToken })
  for (const path of [`/api/deals/${deal}/report`, `/api/ratings/${body.rating_id}/report`])
    expect((await post(app, path, { why: 'wrong' }, { token: staff })).status).toBe(204)
  const found = (await listed()).filter(({ deal_name }) => deal_name === 'Found by staff')
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(['deal', 'rating'])
})

it('open reports can also be listed oldest first, page by page', async () => {
  const names = ['First found', 'Second found', 'Third found']
  for (const [n, name] of names.entries()) {
    app.setNow(
      Temporal.Instant.from(saturdayEvening)
        .add({ seconds: 60 * (n + 1) })
        .toString(),
    )
    await report(await aDeal(name), lena)
  }
  const found = await everyPage<ReportCase>(app, '/api/admin/reports?order=oldest&limit=2', staff)
  expect(found.flatMap(({ deal_name }) => names.filter((name) => name === deal_name))).toEqual(names)
  expect(new Set(found.map(({ case_id }) => case_id)).size).toBe(found.length)
})

it('only staff see and decide reports', async () => {
  for (const who of [lena, bar]) {
    expect((await get(app, '/api/admin/reports', who.authToken)).status).toBe(403)
    const body = { decision: 'hide', reason: 'It is not true.' }
    expect((await post(app, `/api/admin/reports/${newId()}`, body, { token: who.authToken })).status).toBe(403)
  }
  expect(
    (
      await post(
        app,
        `/api/admin/reports/${newId()}`,
        { decision: 'hide', reason: 'It is not true.' },
        { token: staff },
      )
    ).status,
  ).toBe(404)
})

it('pages of open and decided reports hold each report once, also while new ones arrive', async () => {
  const names = Array.from({ length: 5 }, (_, n) => `Paged ${n}`)
  const add = async (name: string) => report(await aDeal(name), lena)
  for (const name of names) await add(name)
  const found = await everyPage<ReportCase>(app, '/api/admin/reports?limit=2', staff, () => add('Paged meanwhile'))
  expect(found.flatMap(({ deal_name }) => names.filter((name) => name === deal_name))).toEqual(names.toReversed())
  expect(new Set(found.map(({ case_id }) => case_id)).size).toBe(found.length)

  for (const name of names) expect((await decide(await caseOf(name), { decision: 'dismiss' })).status).toBe(200)
  const decideAnother = async () => decide(await caseOf('Paged meanwhile'), { decision: 'dismiss' })
  const decided = await everyPage<ReportCase>(app, '/api/admin/reports?state=decided&limit=2', staff, decideAnother)
  expect(decided.flatMap(({ deal_name }) => names.filter((name) => name === deal_name))).toEqual(names.toReversed())
  expect(new Set(decided.map(({ case_id }) => case_id)).size).toBe(decided.length)
})

it('pages of suspended businesses hold each business once, also while others are suspended', async () => {
  const suspend = async (name: string) => {
    const body = { business_id: await addBusiness(app.db, name), reason: 'Paged' }
    expect((await suspendConfirmed(app, staff, body)).status).toBeLessThan(300)
  }
  const names = Array.from({ length: 5 }, (_, n) => `Bar of page ${n}`)
  // All were suspended at the same instant of the test's clock.
  for (const name of names) await suspend(name)
  const found = await everyPage<{ business_id: string; business_name: string }>(
    app,
    '/api/admin/suspensions?limit=2',
    staff,
    () => suspend('Bar of meanwhile'),
  )
  expect(
    found
      .map(({ business_name }) => business_name)
      .filter((name) => names.includes(name))
      .toSorted(),
  ).toEqual(names)
  expect(new Set(found.map(({ business_id }) => business_id)).size).toBe(found.length)
})
