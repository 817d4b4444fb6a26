import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../test/start-app.ts'
import type { FoundDeal, ListedDeal } from './contract.ts'
import { searchStored, type StoredQuestion } from './stored-search.ts'

const centre = { latitude: 47.5596, longitude: 7.5886 }
const now = Date.parse(saturdayEvening)
const everywhere: StoredQuestion = { openNow: false, sort: 'best', around: null, centre, zone: 'Europe/Zurich', now }
const here = { latitude: 47.5635, longitude: 7.5905, radiusKm: 2 }

let app: TestApp
let stored: ListedDeal[]
const ask = async <Row>(path: string) => (await api(app, path)).body as Row[]
beforeAll(async () => {
  app = await startTestApp({ demo: true })
  const page = (offset: number) => ask<ListedDeal>(`/api/deals?sort=best&limit=100&offset=${offset}`)
  stored = [...(await page(0)), ...(await page(100))]
})
afterAll(() => app.close())

const names = (deals: readonly ListedDeal[]) => deals.map(({ deal_name }) => deal_name)
const sorted = (deals: readonly ListedDeal[]) => names(deals).toSorted()

it.each([
  ['', {}],
  ['openNow=true', { openNow: true }],
  ['category=food', { category: 'food' }],
  ['category=Essen%20%26%20Trinken', { category: 'Essen & Trinken' }],
  ['category=vegan', { category: 'vegan' }],
  ['category=drinks&openNow=true', { category: 'drinks', openNow: true }],
  ['max_price=0', { maxPrice: 0 }],
  ['max_price=9.99', { maxPrice: 9.99 }],
  ['max_price=9.99&openNow=true', { maxPrice: 9.99, openNow: true }],
  ['q=gratis', { q: 'gratis' }],
  ['q=bier', { q: 'bier' }],
  ['q=ice%20cream', { q: 'ice cream' }],
  ['q=Caf%C3%A9', { q: 'Café' }],
  ['q=kaff', { q: 'kaff' }],
  ['q=food', { q: 'food' }],
  ['q=wein&category=drinks', { q: 'wein', category: 'drinks' }],
  ['q=the%20coffee', { q: 'the coffee' }],
] satisfies [string, Partial<StoredQuestion>][])(
  'without a network a phone finds the deals that the server finds: %s',
  async (query, asked) => {
    const found = await ask<ListedDeal>(`/api/deals?limit=100&${query}`)
    const rest = found.length < 100 ? [] : await ask<ListedDeal>(`/api/deals?limit=100&offset=100&${query}`)
    expect(sorted(searchStored(stored, { ...everywhere, ...asked }))).toEqual(sorted([...found, ...rest]))
  },
)

it.each(['best', 'distance', 'price', 'rating', 'ending_soon'] as const)(
  'around a place a phone has the order of the server: %s',
  async (sort) => {
    const path = `/api/deals/search?lat=${here.latitude}&lon=${here.longitude}&radius=2&hide_sponsored=true&sort=${sort}`
    const found = await ask<FoundDeal>(path)
    const mine = searchStored(stored, { ...everywhere, sort, around: here })
    // those without a place come last, newest first, which a phone does not know
    const placed = (deals: readonly ListedDeal[]) => names(deals.filter(({ latitude }) => latitude !== null))
    expect(placed(found).length).toBeGreaterThan(20)
    // its means are rounded, so deals that are rated nearly alike may change places
    if (sort !== 'rating') expect(placed(mine)).toEqual(placed(found))
    expect(mine[0]!.deal_name).toBe(found[0]!.deal_name)
    expect(sorted(mine)).toEqual(sorted(found))
  },
)

it('a list stored in the afternoon shows in the evening what is open then', async () => {
  const later = now + 5 * 3_600_000
  app.setNow(new Date(later).toISOString())
  const found = await ask<ListedDeal>('/api/deals?openNow=true&limit=100')
  app.setNow(saturdayEvening)
  expect(sorted(searchStored(stored, { ...everywhere, openNow: true, now: later }))).toEqual(sorted(found))
})
