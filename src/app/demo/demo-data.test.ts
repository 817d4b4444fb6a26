import { describe, expect, test } from 'vitest'
import { parseOpeningHours } from '../../businesses/server/opening-hours.ts'
import { categories } from '../../brand/categories.ts'
import { businessRows, demoBusinesses } from '../../businesses/demo/demo-businesses.ts'
import { guessLanguage } from '../../kit/server/guess-language.ts'
import { dealRows, demoDeals, momentOf } from '../../deals/demo/demo-deals.ts'
import { demoMerchant } from './demo-logins.ts'
import { demoForum } from '../../forum/demo/demo-forum.ts'
import { demoProgramme } from '../../events/demo/demo-events.ts'
import { demoClaims } from '../../redemptions/demo/demo-redemptions.ts'

const festival = {
  now: Temporal.Instant.from('2026-11-20T19:10:00Z'),
  name: 'Rheinklang',
  zone: 'Europe/Zurich',
  centre: { latitude: 47.5596, longitude: 7.5886 },
}
const businesses = businessRows(festival)
const deals = dealRows(festival)
const merchants = demoBusinesses()
const written = demoDeals()
const live = deals.filter(
  (deal) =>
    deal.state === 'published' &&
    (!deal.starts_at || deal.starts_at <= festival.now.toString()) &&
    (!deal.ends_at || deal.ends_at > festival.now.toString()) &&
    (!deal.total_limit || deal.redeemed_count < deal.total_limit),
)

describe('demo merchants', () => {
  test('there are 40, each with its own name, slug and id', () => {
    expect(businesses).toHaveLength(40)
    for (const key of ['business_name', 'slug', 'business_id'] as const) {
      expect(new Set(businesses.map((business) => business[key]))).toHaveProperty('size', 40)
    }
    for (const { slug } of businesses) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('35 are FREE, 3 PREMIUM, 2 ULTIMATE, exactly one runs a promotion, and at most a quarter of the deals are premium', () => {
    const count = (tier: string) => businesses.filter((business) => business.subscription_tier === tier).length
    expect([count('FREE'), count('PREMIUM'), count('ULTIMATE')]).toEqual([35, 3, 2])
    const promoted = businesses.filter((business) => business.featured_until)
    expect(promoted.map((business) => business.featured_until)).toEqual([festival.now.add({ hours: 504 }).toString()])
    const isPremium = (id: string) =>
      businesses.some((each) => each.business_id === id && (each.subscription_tier !== 'FREE' || each.featured_until))
    const premium = deals.filter((deal) => isPremium(deal.business_id))
    expect(premium.length).toBeLessThanOrEqual(deals.length / 4)
  })

  test('texts are calm', () => {
    for (const { description } of businesses) expect(description ?? '').not.toMatch(/!|  /)
  })

  test('nobody real can be called or visited by mistake', () => {
    for (const { phone, website, email } of businesses) {
      if (phone) expect(phone).toMatch(/^\+41 61 000 \d\d \d\d$/)
      if (website) expect(website).toMatch(/^https:\/\/[a-z-]+\.example$/)
      expect(email).toMatch(/^hello@[a-z0-9-]+\.example$/)
    }
    const phones = merchants.flatMap(({ phone }) => phone ?? [])
    expect(new Set(phones)).toHaveProperty('size', phones.length)
  })

  test('opening hours can be read, but for the two that are meant to be unknown', () => {
    const basel = { latitude: 47.56, longitude: 7.59, canton: 'BS' }
    const unknown = merchants.filter(({ open_hours }) => !open_hours || !parseOpeningHours(open_hours, basel).known)
    expect(unknown.map(({ business_name }) => business_name)).toEqual([
      'Galerie Kehrwasser',
      'Velowerkstatt Kettenhund',
    ])
    expect(merchants.filter(({ hours_known }) => !hours_known)).toEqual(unknown)
  })

  test('each hard case is there once', () => {
    expect(businesses.filter((business) => business.business_name.length === 80)).toHaveLength(1)
    expect(businesses.filter((business) => business.latitude === null)).toHaveLength(1)
    expect(businesses.filter((business) => business.address === null)).toHaveLength(1)
    expect(businesses.filter((business) => business.description === null)).toHaveLength(1)
    expect(businesses.filter((business) => business.open_hours === '24/7')).toHaveLength(1)
    const offering = new Set(written.map(({ business_name }) => business_name))
    const idle = merchants.filter(({ business_name }) => !offering.has(business_name))
    expect(idle.map(({ business_name }) => business_name)).toEqual(['Antiquariat Fliegenkopf'])
  })
})

describe('demo deals', () => {
  test('there are 150, each of a known merchant and with its own id', () => {
    expect(deals).toHaveLength(150)
    expect(new Set(deals.map((deal) => deal.deal_id))).toHaveProperty('size', 150)
    const ids = new Set(businesses.map((business) => business.business_id))
    for (const deal of deals) expect(ids).toContain(deal.business_id)
  })

  test('60 % are written in German, 20 % in French and 20 % in English', () => {
    const of = (lang: string) => deals.filter((deal) => deal.lang === lang).length
    expect([of('de'), of('fr'), of('en')]).toEqual([90, 30, 30])
    // the guess may be wrong for a few short texts
    const guessed = (deal: (typeof deals)[number]) =>
      guessLanguage(`${deal.deal_name}\n${deal.description ?? ''}`, ['de', 'fr', 'en'])
    const others = deals.filter((deal) => ![deal.lang, null].includes(guessed(deal) as never))
    expect(others.length, others.map(({ deal_name }) => deal_name).join('; ')).toBeLessThanOrEqual(6)
  })

  test('there are deals in every state that screens show', () => {
    const now = festival.now.toString()
    expect(deals.filter((deal) => deal.ends_at && deal.ends_at <= now)).toHaveLength(6)
    expect(deals.filter((deal) => deal.starts_at && deal.starts_at > now)).toHaveLength(8)
    expect(deals.filter((deal) => deal.state === 'paused')).toHaveLength(3)
    expect(deals.filter((deal) => deal.state === 'draft')).toHaveLength(2)
    expect(deals.filter((deal) => deal.total_limit && deal.redeemed_count >= deal.total_limit)).toHaveLength(2)
    expect(deals.filter((deal) => deal.latitude === null)).toHaveLength(4)
    const homes = new Map(merchants.map((merchant) => [merchant.business_name, merchant.latitude]))
    const popUps = written.filter((deal) => deal.latitude !== null && deal.latitude !== homes.get(deal.business_name))
    expect(popUps).toHaveLength(5)
    expect(written.filter(({ ends }) => ends && 'minutes' in ends)).toHaveLength(15)
    expect(live).toHaveLength(129)
    for (const category of categories)
      expect(live.filter((deal) => deal.category === category).length).toBeGreaterThan(3)
  })

  test('a limited deal has as many redemptions as it says, all between its creation and now', () => {
    const claims = demoClaims(festival)
    for (const deal of deals.filter(({ total_limit }) => total_limit !== null)) {
      const own = claims.filter(({ dealId }) => dealId === deal.deal_id)
      const redeemed = own.filter(({ redeemedAt }) => redeemedAt !== null)
      expect([own.length, redeemed.length], deal.deal_name).toEqual([deal.redeemed_count, deal.redeemed_count])
    }
    const created = new Map(deals.map((deal) => [deal.deal_id, deal.created_at]))
    for (const { dealId, claimedAt, redeemedAt } of claims) {
      expect(Date.parse(claimedAt.toString())).toBeGreaterThan(Date.parse(created.get(dealId)!) - 3_600_000)
      expect(Date.parse((redeemedAt ?? claimedAt).toString())).toBeLessThan(Date.parse(festival.now.toString()))
    }
  })

  test('no deal is redeemed more than twice in the same minute', () => {
    const redeemed = demoClaims(festival).filter(({ redeemedAt }) => redeemedAt !== null)
    const minutes = Map.groupBy(redeemed, (claim) => `${claim.dealId} ${claim.redeemedAt!.toString().slice(0, 16)}`)
    expect(Math.max(...[...minutes.values()].map(({ length }) => length))).toBeLessThanOrEqual(2)
  })

  test('texts are calm', () => {
    for (const deal of written) {
      for (const text of [deal.deal_name, deal.description, deal.terms]) expect(text ?? '').not.toMatch(/!|  /)
    }
  })

  test('a price in words and the same price as a number agree', () => {
    for (const { deal_name, price, price_chf } of written) {
      const number = /^(\d+(?:\.\d\d)?)(?:\.–)?(?: \/ kg)?$/.exec(price ?? '')?.[1]
      if (number) expect(price_chf, deal_name).toBe(Number(number))
      else expect(price ?? '', deal_name).toBe('')
    }
  })

  test('a struck-out price is higher and was asked for 30 days or more before', () => {
    for (const deal of deals.filter((each) => each.regular_price_rappen !== null)) {
      expect(deal.regular_price_rappen, deal.deal_name).toBeGreaterThan(deal.price_rappen!)
      const begin = (deal.starts_at ?? deal.created_at).slice(0, 10)
      expect(Temporal.PlainDate.from(begin).since(deal.regular_price_since!).days).toBeGreaterThanOrEqual(30)
    }
  })

  test('times fit together', () => {
    for (const deal of deals) {
      expect(deal.created_at < festival.now.toString(), deal.deal_name).toBe(true)
      if (deal.starts_at && deal.ends_at) expect(deal.ends_at > deal.starts_at, deal.deal_name).toBe(true)
      if (deal.ends_at) expect(deal.ends_at > deal.created_at, deal.deal_name).toBe(true)
      expect(deal.start_time === null).toBe(deal.end_time === null)
      for (const time of [deal.start_time, deal.end_time]) if (time) expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
    }
  })

  test('no FREE merchant has more live deals than its tier allows', () => {
    for (const business of businesses.filter(({ subscription_tier }) => subscription_tier === 'FREE')) {
      expect(live.filter((deal) => deal.business_id === business.business_id).length).toBeLessThanOrEqual(10)
    }
  })
})

describe('the demo', () => {
  test('has the same rows at the same moment, and the same ids at any moment', () => {
    expect(dealRows(festival)).toEqual(deals)
    const later = { ...festival, now: festival.now.add({ hours: 4000 }) }
    expect(dealRows(later).map((deal) => deal.deal_id)).toEqual(deals.map((deal) => deal.deal_id))
    for (const { deal_id } of deals)
      expect(deal_id).toMatch(/^019[0-9a-f]{5}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('moves along with a festival in another city', () => {
    const centre = { latitude: 46.948, longitude: 7.4474 }
    for (const { latitude, longitude } of dealRows({ ...festival, centre })) {
      if (latitude === null || longitude === null) continue
      expect(Math.abs(latitude - centre.latitude)).toBeLessThan(0.03)
      expect(Math.abs(longitude - centre.longitude)).toBeLessThan(0.05)
    }
  })
})

test('moments of the demo are relative to now', () => {
  const at = (moment: Parameters<typeof momentOf>[0]) => momentOf(moment, festival.now, festival.zone).toString()
  expect(at({ minutes: 180 })).toBe('2026-11-20T22:15:00Z')
  expect(at({ days: -12, time: '00:00' })).toBe('2026-11-07T23:00:00Z')
  expect(at({ days: 20, time: '23:59' })).toBe('2026-12-10T22:59:00Z')
  expect(at({ days: 2, time: '18:00' })).toBe('2026-11-22T17:00:00Z')
})

test('the demo’s programme, forum and merchant login fit together', () => {
  const { stages, events } = demoProgramme()
  expect(new Set(events.map(({ stage }) => stage))).toEqual(new Set(stages.map(({ key }) => key)))
  expect(events.length).toBeGreaterThanOrEqual(60)
  const { people, topics } = demoForum()
  expect(topics.length).toBeGreaterThanOrEqual(30)
  const authors = new Set(topics.flatMap(({ posts }) => posts.map(({ by }) => by)))
  expect(authors).toEqual(new Set(people.map(({ key }) => key)))
  expect(merchants.map(({ business_name }) => business_name)).toContain(demoMerchant)
})
