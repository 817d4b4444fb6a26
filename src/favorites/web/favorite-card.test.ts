import { createElement } from 'react'
import { expect, it } from 'vitest'
import { wordsOf } from '../../../test/rendered.ts'
import type { Favorite } from '../contract.ts'
import { FavoriteCard } from './FavoriteCard.tsx'

const tuesday = '2026-11-24T18:00:00Z'
const deal: Favorite = {
  kind: 'deal',
  id: '0190a000-0000-7000-8000-000000000001',
  saved_at: null,
  name: 'Night soup',
  by: null,
  category: 'food',
  image_url: null,
  event_id: null,
  state: 'starts',
  starts_at: '2026-11-27T23:00:00Z',
  ends_at: null,
  live_deals: null,
  times: {
    usable_now: false,
    usable_from: '2026-11-27T23:00:00Z',
    usable_until: '2026-11-28T01:30:00Z',
    over_at: null,
    active_days: [6],
    start_time: '00:00',
    end_time: '02:30',
    open_now: false,
    open_until: null,
    opens_at: '2026-11-27T23:00:00Z',
  },
  value: null,
}
const card = (favorite: Favorite, now = tuesday) => wordsOf(createElement(FavoriteCard, { favorite }), now)

it('a saved deal shows when it can be used, like its card in the list of deals', () => {
  expect(card(deal)).toBe('Night soupSat 00:00–02:30')
  expect(card(deal, '2026-11-28T01:00:00Z')).toBe('Night soup30 min left')
})

it('a saved deal shows what it costs and how good it is, until it is over', () => {
  const value = {
    price: '7',
    price_chf: 7,
    discount: null,
    regular_price_chf: null,
    regular_price_since: null,
    rating_mean: 4.5,
    rating_count: 12,
    latitude: null,
    longitude: null,
  }
  expect(card({ ...deal, value })).toMatch(/CHF 7\.–.*4\.5/)
  expect(card({ ...deal, state: 'ended', times: null, value })).not.toContain('CHF')
})

it('a saved deal of an older version’s list shows its state', () => {
  expect(card({ ...deal, state: 'live', times: null })).toBe('Night soupNow')
  expect(card({ ...deal, state: 'ended', times: null })).toBe('Night soupOver')
})

it('a saved merchant shows its number of deals, not that they can be used now', () => {
  const merchant = { ...deal, kind: 'business', state: 'live', times: null } as const
  expect(card({ ...merchant, live_deals: 7 })).toBe('Night soup7 deals')
  expect(card({ ...merchant, live_deals: 0 })).toBe('Night soupNo deals right now')
})
