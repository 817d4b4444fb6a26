import { createElement, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { htmlOf } from '../../../test/rendered.ts'
import { BusinessRow } from '../../businesses/web/BusinessRow.tsx'
import type { ListedBusiness } from '../../businesses/web/load-businesses.ts'
import type { Deal } from '../../deals/contract.ts'
import { DealCard } from '../../deals/web/DealCard.tsx'
import { DealsMapCard } from '../../deals/web/DealsMapCard.tsx'
import { DealItem, MerchantItem } from '../../deals/web/DealsMapItem.tsx'
import { DealsMapMerchant } from '../../deals/web/DealsMapMerchant.tsx'
import { OfferCard } from '../../deals/web/OfferCard.tsx'
import type { ListedEvent } from '../../events/contract.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { EventCard } from '../../events/web/EventCard.tsx'
import { EventItem } from '../../events/web/EventItem.tsx'
import { Neighbours, Shelf } from '../../events/web/OtherEvents.tsx'
import type { Favorite } from '../../favorites/contract.ts'
import { FavoriteCard } from '../../favorites/web/FavoriteCard.tsx'
import { SiteContext, type Site } from '../../kit/browser/site.ts'
import { EntryCard } from '../../schedule/web/EntryCard.tsx'
import { SavableDays } from '../../schedule/web/SavableDays.tsx'

const now = '2026-06-20T19:30:00Z'
const centre = { latitude: 47.5601, longitude: 7.5907 }
const ids = { deal_id: 'd1', business_id: 'b1', event_id: 'e1' }

/** The texts of the slots of a card in their order, e.g. `when: Until 22:00`. */
function slotsOf(card: ReactNode): string[] {
  const site = { centre } as Site
  const html = htmlOf(createElement(SiteContext, { value: site }, card), now)
  return [...html.matchAll(/data-slot="(\w+)"[^>]*>(.*?)<\/p>/gs)].map(
    ([, slot, content]) =>
      `${slot}: ${content!
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()}`,
  )
}

const place = { latitude: 47.5635, longitude: 7.5907 }
const times = {
  usable_now: true,
  usable_from: null,
  usable_until: '2026-06-20T22:00:00Z',
  over_at: null,
  active_days: null,
  start_time: null,
  end_time: null,
  open_now: true,
  open_until: '2026-06-20T22:00:00Z',
  opens_at: null,
}
const value = {
  price: '9',
  price_chf: 9,
  discount: '30 %',
  regular_price_chf: 13,
  regular_price_since: '2026-05-01',
  rating_mean: 4.5,
  rating_count: 12,
  ...place,
}
const deal = {
  ...ids,
  ...times,
  ...value,
  deal_name: 'Night soup',
  business_name: 'Café Rhein',
  category: 'food',
  image_url: null,
  lang: null,
  is_premium: false,
  description: 'Hot.',
  distance_km: 0.38,
  status: 'active',
} as unknown as Deal & { distance_km: number; sponsored: boolean }
const favorite: Favorite = {
  kind: 'deal',
  id: 'd1',
  saved_at: null,
  name: 'Night soup',
  by: 'Café Rhein',
  category: 'food',
  image_url: null,
  event_id: null,
  state: 'live',
  starts_at: null,
  ends_at: null,
  live_deals: 2,
  times,
  value,
}
const list = { query: {}, focus: null, onFocus: () => {}, isMain: false } as unknown as Parameters<
  typeof DealItem
>[0]['list']

it('a deal shows when, where and how much in the same order on each of its cards and rows', () => {
  const pin = { dealId: 'd1', known: deal, merchant: null, stack: null, stackName: null, onClose: () => {} }
  const cards = {
    list: createElement(DealCard, { deal }),
    map: createElement(DealItem, { deal, list }),
    pin: createElement(DealsMapCard, pin),
  }
  for (const [name, card] of Object.entries(cards)) {
    const [when, where, price, ...more] = slotsOf(card)
    expect(when, name).toBe('when: Until 00:00')
    expect(where, name).toBe('where: Café Rhein 380 m , 7 min on foot')
    expect(price, name).toMatch(/^price: CHF 9\.– instead of CHF 13\.– .*4\.5/)
    expect(more, name).toEqual([])
  }
  const saved = slotsOf(createElement(FavoriteCard, { favorite }))
  expect(saved).toEqual([
    'when: Until 00:00',
    'where: Café Rhein 380 m from the centre , 7 min on foot',
    expect.stringMatching(/^price: CHF 9\.– instead of CHF 13\.– .*4\.5/),
  ])
  const onPageOfMerchant = slotsOf(createElement(OfferCard, { deal }))
  expect(onPageOfMerchant).toEqual([
    'when: Until 00:00',
    'where: 380 m , 7 min on foot',
    expect.stringMatching(/^price: Price: CHF 9 Discount: 30 % .*4\.5/),
  ])
})

it('an event shows when, where and how much in the same order on each of its cards and rows', () => {
  const event = {
    ...ids,
    title: 'Hochwasser',
    status: 'scheduled',
    starts_at: '2026-06-20T19:00:00Z',
    ends_at: '2026-06-20T20:30:00Z',
    festival_day: '2026-06-20',
    all_day: false,
    category: 'music',
    stage: 'Rheinbühne',
    stage_id: 's1',
    venue: { venue_id: 'v1', venue_name: 'Kaserne', ...place },
    price_chf: 25,
    age_min: null,
    image_url: null,
    performers: [],
  } as unknown as ListedEvent
  const card = cardEvent(event)
  const entry = { ...ids, entry_id: 'n1', priority: 'want' as const, note: null, reminders: [], event }
  const cards = {
    programme: createElement(EventItem, { event: card }),
    home: createElement(EventCard, { event: card }),
    'at the same time': createElement(Shelf, { id: 'x', title: 'x', events: [card] }),
    'before and after': createElement(Neighbours, { previous: card, next: null }),
    'my schedule': createElement(EntryCard, {
      entry: { ...entry, created_at: now, updated_at: now },
      showNote: () => {},
    }),
    saved: createElement(SavableDays, { events: [event] }),
  }
  for (const [name, each] of Object.entries(cards))
    expect(slotsOf(each), name).toEqual([
      'when: Until 22:30',
      'where: Rheinbühne, Kaserne 380 m from the centre , 7 min on foot',
      'price: CHF 25.–',
    ])
  const cancelled = createElement(EventItem, { event: { ...card, status: 'cancelled' } })
  expect(slotsOf(cancelled)[0]).toBe('when: Cancelled')
})

it('a merchant shows when, where and how many deals in the same order on each of its cards and rows', () => {
  const merchant = {
    ...ids,
    ...place,
    business_name: 'Café Rhein',
    category: 'food',
    logo_url: null,
    address: 'Rheinsprung 1',
    whereabouts: null,
    subscription_tier: 'FREE',
    live_deals: 2,
    open_now: true,
    open_until: '2026-06-20T22:00:00Z',
    opens_at: null,
    distance_km: 0.38,
  } as unknown as ListedBusiness & Parameters<typeof MerchantItem>[0]['merchant']
  expect(slotsOf(createElement(BusinessRow, { business: merchant }))).toEqual([
    'when: Open until 00:00',
    'where: Rheinsprung 1',
    'price: 2 deals',
  ])
  for (const card of [createElement(MerchantItem, { merchant, list }), createElement(DealsMapMerchant, { merchant })])
    expect(slotsOf(card)).toEqual([
      'when: Open until 00:00',
      'where: Rheinsprung 1 380 m , 7 min on foot',
      'price: 2 deals',
    ])
  expect(slotsOf(createElement(FavoriteCard, { favorite: { ...favorite, kind: 'business' } }))).toContain(
    'price: 2 deals',
  )
})
