import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bridge } from '../../../test/cast.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { termsWithSynonyms } from '../synonyms.ts'

/**
 * Compares the search with a plain implementation: random towns and queries, all pages to the end, against code that filters and
 * sorts all deals, without index, early end or paging.
 */
const now = Date.parse(saturdayEvening)
const hour = 3_600_000
const minute = 60_000
/** Days as bits; it is Saturday, 19:30 at the festival. */
const [today, yesterday] = [1 << 5, 1 << 4]
const midnight = now - 19.5 * hour
/** Six in the morning: deals that begin before are of today. */
const tonight = midnight + 30 * hour

/** Sizes of the groups within which `best` sorts: usable deals, and others. */
const [groupSize, laterGroupSize] = [100, 300]

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
  // the meaning of words is cached for a second, so every town has the same words
  await sql`call learn_search_words(search_fold('Rösti Suppe Bratwurst Platte Food Apéro Haus'))`.execute(app.db)
})
afterEach(() => app.close())

const merchant = fc.record({
  // few places, so that many deals share one, even across groups
  north: fc.integer({ min: -6, max: 6 }),
  east: fc.integer({ min: -6, max: 6 }),
  nowhere: fc.nat(11),
  tier: fc.constantFrom('FREE', 'FREE', 'PREMIUM'),
  promoted: fc.nat(9),
  opens: fc.integer({ min: -3, max: 3 }),
  known: fc.nat(4),
})
const deal = fc.record({
  merchant: fc.nat(19),
  category: fc.constantFrom('food', 'drinks', 'culture'),
  tags: fc.constantFrom<string[]>([], [], ['Food'], ['Apéro'], ['Food', 'Apéro']),
  name: fc.constantFrom('Rösti', 'Rösti Rösti Suppe', 'Bratwurst', 'Platte'),
  ratings: fc.constantFrom([0, 0], [3, 15], [40, 200], [30, 30], [9, 36]),
  ends: fc.constantFrom(null, null, -1, 1, 2.5, 80),
  starts: fc.constantFrom(null, null, null, -2, 5),
  limit: fc.constantFrom(null, null, 3, 9),
  days: fc.constantFrom(null, null, today, yesterday, 127),
  hours: fc.constantFrom(null, null, ['18:00', '21:00'], ['06:00', '10:00'], ['22:00', '19:45'], ['20:00', '03:00']),
  state: fc.constantFrom('published', 'published', 'published', 'published', 'paused', 'draft'),
})
const townOf = (each: typeof deal) =>
  fc.record({
    merchants: fc.array(merchant, { minLength: 20, maxLength: 20 }),
    deals: fc.oneof(
      fc.array(each, { maxLength: 30, size: 'max' }),
      fc.array(each, { minLength: groupSize * 3, maxLength: groupSize * 4, size: 'max' }),
    ),
  })
/** Whether a category is a tag elsewhere is cached for a second, so each app has only towns with it or without it. */
const withoutFood = <D extends { tags: string[] }>(each: D): D => ({
  ...each,
  tags: each.tags.filter((tag) => tag !== 'Food'),
})
const question = fc.record({
  category: fc.constantFrom('', '', 'food', 'Essen', 'apero'),
  q: fc.constantFrom('', '', '', 'rosti', 'rösti suppe'),
  openNow: fc.boolean(),
  sponsored: fc.constantFrom(false, false, true),
  hide: fc.boolean(),
  radius: fc.constantFrom(0.4, 2, 5, 50),
  sort: fc.constantFrom('best', 'best', 'best', 'distance', 'rating', 'ending_soon', 'new'),
  limit: fc.constantFrom(7, 20, 100),
  north: fc.integer({ min: -3, max: 3 }),
})

type Town = ReturnType<typeof townOf> extends fc.Arbitrary<infer T> ? T : never
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never
type Stored = Awaited<ReturnType<typeof build>>[number]

const idOf = (kind: number, n: number) =>
  `0190a000-000${kind}-7000-8000-${((n * 7919) % 999_983).toString(16).padStart(12, '0')}`

/** Writes the town and returns its deals. `taggedFarAway`: adds a deal out of every search's reach. */
async function build({ merchants, deals }: Town, taggedFarAway = false) {
  const businesses = merchants.map((each, n) => ({
    business_id: idOf(1, n),
    business_name: `Haus ${n}`,
    slug: `haus-${n}`,
    subscription_tier: each.tier,
    featured_until: each.promoted === 0 ? new Date(now + 48 * hour) : null,
    hours_known: each.known > 0,
    hours_filled_until: each.known > 0 ? new Date(now + 200 * hour) : null,
    opening_changes:
      each.known > 0 ? [-26, -22, each.opens - 2, each.opens + 1].map((h) => new Date(now + h * hour)) : [],
    latitude: each.nowhere === 0 ? null : bridge.latitude + each.north * 0.0031,
    longitude: each.nowhere === 0 ? null : bridge.longitude + each.east * 0.0047,
    created_at: new Date(now),
    updated_at: new Date(now),
  }))
  const rows = deals.map((each, n) => {
    const at = businesses[each.merchant]!
    return {
      deal_id: idOf(2, n),
      business_id: at.business_id,
      deal_name: each.name,
      category: each.category,
      tags: each.tags,
      rating_count: each.ratings[0]!,
      rating_sum: each.ratings[1]!,
      starts_at:
        each.starts === null || each.starts >= (each.ends ?? Infinity) ? null : new Date(now + each.starts * hour),
      ends_at: each.ends === null ? null : new Date(now + each.ends * hour + (each.ends > 5 ? n * 1000 : 0)),
      total_limit: each.limit,
      redeemed_count: 3,
      active_days: each.days,
      start_time: each.hours?.[0] ?? null,
      end_time: each.hours?.[1] ?? null,
      state: each.state,
      latitude: at.latitude,
      longitude: at.longitude,
      created_at: new Date(now - 10 * hour - ((n * 31) % 997) * 1000),
      updated_at: new Date(now),
    }
  })
  await sql`truncate businesses cascade`.execute(app.db)
  await app.db
    .insertInto('businesses')
    .values(businesses as never)
    .execute()
  if (taggedFarAway)
    await app.db
      .insertInto('deals')
      .values({
        deal_id: idOf(4, 0),
        business_id: idOf(1, 0),
        deal_name: 'Platte',
        category: 'culture',
        tags: ['Food'],
        latitude: 60,
        longitude: 7,
        created_at: new Date(now),
        updated_at: new Date(now),
      } as never)
      .execute()
  for (let from = 0; from < rows.length; from += 100)
    await app.db
      .insertInto('deals')
      .values(rows.slice(from, from + 100) as never)
      .execute()
  return rows.map((row, n) => ({ ...row, merchant: merchants[deals[n]!.merchant]! }))
}

function distanceKm(centre: { latitude: number; longitude: number }, to: { latitude: number; longitude: number }) {
  const rad = Math.PI / 180
  const a =
    Math.sin(((to.latitude - centre.latitude) * rad) / 2) ** 2 +
    Math.cos(centre.latitude * rad) *
      Math.cos(to.latitude * rad) *
      Math.sin(((to.longitude - centre.longitude) * rad) / 2) ** 2
  return 12742.0176 * Math.asin(Math.min(1, Math.sqrt(a)))
}

const mercator = (latitude: number) => (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI

/** Whether the place is open and the deal's days and hours hold; both only change at quarters of an hour. */
function usableAt(at: number, each: Stored): boolean {
  const { known, opens } = each.merchant
  const isOpen = [
    [-26, -22],
    [opens - 2, opens + 1],
  ].some(([from, to]) => at >= now + from! * hour && at < now + to! * hour)
  return known > 0 && isOpen && isOwnTime(at, each)
}

function isOwnTime(at: number, { active_days, start_time, end_time }: Stored): boolean {
  const day = Math.floor((at - midnight) / (24 * hour))
  const on = (n: number) => active_days === null || (active_days & (1 << ((((5 + n) % 7) + 7) % 7))) !== 0
  const clock = new Date(at + 2 * hour).toISOString().slice(11, 16)
  if (start_time === null || end_time === null) return on(day)
  if (start_time <= end_time) return clock >= start_time && clock < end_time && on(day)
  return clock >= start_time ? on(day) : clock < end_time && on(day - 1)
}

/** Usable quarters of an hour from now on; with unknown hours of the place, by the deal's own. */
function usableTimes(each: Stored) {
  const [hours, isTime] = each.merchant.known === 0 ? [84, isOwnTime] : [6, usableAt]
  return Array.from({ length: hours * 4 }, (_, n) => now + n * 15 * minute).filter(
    (at) => isTime(at, each) && (each.ends_at === null || at < +each.ends_at),
  )
}
const available = (each: Stored) => usableAt(now, each)

/** Whether it has not ended and can still be used before its end. */
const isUsableStill = (each: Stored) => each.ends_at === null || (+each.ends_at > now && usableTimes(each).length > 0)

/** The end of its last usable quarter, or of the deal. */
function overAt(each: Stored): number {
  if (each.ends_at === null) return Infinity
  return Math.min(usableTimes(each).at(-1)! + 15 * minute, +each.ends_at)
}
const endsSoon = (each: Stored) => overAt(each) <= now + 3 * hour

function phaseOf(each: Stored): number {
  if (available(each)) return 0
  const next = usableTimes(each)[0]
  // unknown whether it can be used then, but certainly not before
  if (each.merchant.known === 0) return next !== undefined && next < tonight ? 2 : 3
  return next === undefined ? 3 : next <= now + 2 * hour ? 1 : 2
}

/** Ids in the promised order, without paid places. */
async function expected(deals: Stored[], asked: Question, centre: { latitude: number; longitude: number }) {
  const matches = new Map<string, number>()
  if (asked.q) {
    // words are spelled as in the deals, so nothing is guessed if a deal is live
    const { rows } = await sql<{ deal_id: string; rank: number }>`
      select deal_id, ts_rank(doc, words) as rank from deals, search_terms(${JSON.stringify(termsWithSynonyms(asked.q, false))}::jsonb, false) as words where doc @@ words`.execute(
      app.db,
    )
    for (const { deal_id, rank } of rows) matches.set(deal_id, rank)
  }
  const keys: Record<string, string> = { food: 'food', Essen: 'food' }
  const tags: Record<string, string> = { food: 'Food', apero: 'Apéro' }
  const [key, tag] = [keys[asked.category], tags[asked.category]]
  const found = deals
    .filter(
      (each) =>
        each.state === 'published' &&
        (each.starts_at === null || +each.starts_at <= now) &&
        isUsableStill(each) &&
        (each.total_limit === null || each.redeemed_count < each.total_limit) &&
        (asked.q === '' || matches.has(each.deal_id)) &&
        (asked.category === '' || each.category === key || each.tags.includes(tag ?? '')) &&
        (!asked.openNow || available(each)) &&
        (!asked.sponsored || each.merchant.tier !== 'FREE' || each.merchant.promoted === 0),
    )
    .map((each) => {
      if (each.latitude === null) return { ...each, km: null, steps: 0, score: 0, phase: 0 }
      const place = { latitude: each.latitude, longitude: each.longitude! }
      const km = distanceKm(centre, place)
      const steps = Math.hypot(place.longitude - centre.longitude, mercator(place.latitude) - mercator(centre.latitude))
      const bayes = (5 * 3.8 + each.rating_sum) / (5 + each.rating_count)
      const score = km * 16.25 - (endsSoon(each) ? 2 : 0) - 2 * (bayes - 3.8) - 30 * (matches.get(each.deal_id) ?? 0)
      return { ...each, km, steps, score, phase: phaseOf(each) }
    })
  type Found = (typeof found)[number]
  const byId = (a: Found, b: Found) => (a.deal_id < b.deal_id ? -1 : 1)
  const bayes = (each: Found) => (5 * 3.8 + each.rating_sum) / (5 + each.rating_count)
  const near = found.filter((each) => each.km !== null && each.km <= asked.radius)
  const orders: Record<string, (a: Found, b: Found) => number> = {
    rating: (a, b) => bayes(b) - bayes(a) || byId(b, a),
    ending_soon: (a, b) => (overAt(a) === overAt(b) ? byId(a, b) : overAt(a) - overAt(b)),
    new: (a, b) => +b.created_at - +a.created_at || byId(b, a),
  }
  if (orders[asked.sort]) near.sort(orders[asked.sort])
  else {
    near.sort((a, b) => (Math.abs(a.steps - b.steps) < 1e-9 ? byId(a, b) : a.steps - b.steps))
    const within = (each: Found) => (asked.sort === 'best' ? each.score : each.km!)
    const inGroups = (all: Found[], size: number) =>
      Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
        all
          .slice(n * size, (n + 1) * size)
          .sort(
            (a, b) =>
              (asked.sort === 'best' ? a.phase - b.phase : 0) ||
              (Math.abs(within(a) - within(b)) < 1e-9 ? byId(a, b) : within(a) - within(b)),
          ),
      )
    const groups =
      asked.sort === 'best'
        ? [
            ...inGroups(
              near.filter(({ phase }) => phase === 0),
              groupSize,
            ),
            ...inGroups(
              near.filter(({ phase }) => phase > 0),
              laterGroupSize,
            ),
          ]
        : inGroups(near, groupSize)
    near.splice(0, near.length, ...groups.flat())
  }
  const without = found.filter((each) => each.km === null).sort((a, b) => +b.created_at - +a.created_at || byId(a, b))
  return [...near, ...without].map((each) => each.deal_id)
}

describe('a search in any town', () => {
  const towns = 25
  it.each([true, false])(
    'finds the deals of the plain implementation, in its order, once each, with its total (food is a tag elsewhere: %j)',
    async (tagged) => {
      let asked = 0
      await fc.assert(
        fc.asyncProperty(
          townOf(tagged ? deal : deal.map(withoutFood)),
          fc.array(question, { minLength: 6, maxLength: 6 }),
          async (made, questions) => {
            const deals = await build(made, tagged)
            for (const each of questions) {
              const centre = { latitude: bridge.latitude + each.north * 0.004, longitude: bridge.longitude }
              const wanted = await expected(deals, each, centre)
              const query = new URLSearchParams({
                lat: String(centre.latitude),
                lon: String(centre.longitude),
                category: each.category,
                q: each.q,
                openNow: String(each.openNow),
                sponsored: String(each.sponsored),
                hide_sponsored: String(each.hide),
                radius: String(each.radius),
                sort: each.sort,
                limit: String(each.limit),
              })
              const paid: string[] = []
              const organic: string[] = []
              let path: string | null = `/api/deals/search?${query}`
              while (path) {
                const answer: Awaited<ReturnType<typeof api>> = await api(app, path)
                expect(answer.status, answer.text).toBe(200)
                expect(answer.headers.get('x-total-count'), path).toBe(String(wanted.length))
                for (const row of answer.body) (row.sponsored ? paid : organic).push(row.deal_id)
                path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
              }
              expect(organic).toEqual(wanted.filter((id) => !paid.includes(id)))
              expect(paid.every((id) => wanted.includes(id))).toBe(true)
              if (each.hide) expect(paid).toEqual([])
              asked++
            }
          },
        ),
        { numRuns: towns, endOnFailure: true },
      )
      expect(asked).toBeGreaterThanOrEqual(6 * towns)
    },
  )
})

describe('the merchant’s fields in a deal', () => {
  it('follow the merchant: name, premium and opening hours', async () => {
    const [first] = await build({
      merchants: Array.from({ length: 20 }, () => ({
        north: 0,
        east: 0,
        nowhere: 1,
        tier: 'FREE',
        promoted: 1,
        opens: 1,
        known: 1,
      })),
      deals: [
        {
          merchant: 0,
          category: 'food',
          tags: [],
          name: 'Rösti',
          ratings: [0, 0],
          ends: null,
          starts: null,
          limit: null,
          days: null,
          hours: null,
          state: 'published',
        },
      ],
    } as Town)
    const get = async () => (await api(app, `/api/deals/${first!.deal_id}`)).body
    expect(await get()).toMatchObject({ business_name: 'Haus 0', is_premium: false, open_now: true })
    const change = (values: object) =>
      app.db.updateTable('businesses').set(values).where('business_id', '=', first!.business_id).execute()
    await change({ business_name: 'Neues Haus' })
    await change({ featured_until: new Date(now + hour) })
    expect(await get()).toMatchObject({ business_name: 'Neues Haus', is_premium: true })
    await change({ featured_until: new Date(now - hour) })
    expect(await get()).toMatchObject({ is_premium: false })
    await change({ subscription_tier: 'ULTIMATE' })
    expect(await get()).toMatchObject({ is_premium: true })
    await change({ opening_changes: [new Date(now + hour), new Date(now + 2 * hour)] })
    expect(await get()).toMatchObject({ open_now: false, opens_at: new Date(now + hour).toISOString() })
    await change({ hours_known: false })
    expect(await get()).toMatchObject({ open_now: null, opens_at: null })
  })
  it('are right when merchant and deal change at the same moment', async () => {
    await build({
      merchants: Array.from({ length: 20 }, () => ({
        north: 0,
        east: 0,
        nowhere: 1,
        tier: 'FREE',
        promoted: 1,
        opens: 1,
        known: 1,
      })),
      deals: [],
    } as Town)
    const business_id = idOf(1, 0)
    for (let n = 0; n < 15; n++) {
      await Promise.all([
        app.db
          .insertInto('deals')
          .values({
            deal_id: idOf(3, n),
            business_id,
            deal_name: 'Rösti',
            created_at: new Date(now),
            updated_at: new Date(now),
          } as never)
          .execute(),
        app.db
          .updateTable('businesses')
          .set({ business_name: `Haus nach ${n}` })
          .where('business_id', '=', business_id)
          .execute(),
      ])
    }
    const { rows } = await sql<{ wrong: number }>`
      select count(*) as wrong from deals d join businesses b using (business_id) where d.business_name <> b.business_name`.execute(
      app.db,
    )
    expect(rows[0]!.wrong).toBe(0)
  })
})
