import { expect, it } from 'vitest'
import { reachableFirst } from './reach.ts'

const now = Date.parse('2026-06-20T19:29:00Z')
const deal = (name: string, distance_km: number | null, minutesLeft: number | null, from: string | null = null) => ({
  name,
  distance_km,
  usable_now: from === null,
  usable_from: from,
  usable_until: minutesLeft === null ? null : new Date(now + minutesLeft * 60_000).toISOString(),
  open_now: true,
})
const order = (...deals: ReturnType<typeof deal>[]) => reachableFirst(deals, now).map(({ name }) => name)

it('deals that end before one is there come last; the others keep their order', () => {
  expect(order(deal('Ends in a minute', 0.45, 1), deal('Near', 0.5, 60), deal('Far', 2, null))).toEqual([
    'Near',
    'Far',
    'Ends in a minute',
  ])
})

it('a deal that begins later, or whose place is unknown, keeps its place', () => {
  const later = deal('Later', 2, 30, new Date(now + 60_000).toISOString())
  expect(order(later, deal('Somewhere', null, 1), deal('Near', 0.1, 60))).toEqual(['Later', 'Somewhere', 'Near'])
})
