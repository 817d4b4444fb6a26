import { expect, it } from 'vitest'
import { factsOfDeal, factsOfEvent } from './sharing-facts.ts'

const zone = 'Europe/Zurich'
const deal = { price: null, price_chf: null, discount: null, start_time: null, end_time: null, ends_at: null }

it('a shared deal says its price and hours, else its discount in words and its last day', () => {
  expect(factsOfDeal({ ...deal, price_chf: 9, start_time: '18:00', end_time: '20:00' }, zone)).toBe(
    'CHF 9.00, 18:00–20:00',
  )
  expect(factsOfDeal({ ...deal, discount: '−20 %', ends_at: '2026-06-20T21:59:00Z' }, zone)).toBe('−20 %, –20.6.')
  expect(factsOfDeal(deal, zone)).toBe('')
  expect(factsOfDeal({ ...deal, price_chf: 0, discount: 'gratis' }, zone)).toBe('gratis')
})

it('a shared event says its day, time and price in the festival’s time zone', () => {
  const event = {
    starts_at: '2026-06-20T22:30:00Z',
    ends_at: '2026-06-21T00:00:00Z',
    all_day: false,
    festival_day: '2026-06-20',
    last_day: '2026-06-20',
    price_chf: 18.5,
  }
  expect(factsOfEvent(event, zone)).toBe('21.6., 00:30–02:00, CHF 18.50')
  expect(factsOfEvent({ ...event, ends_at: null, price_chf: 0 }, zone)).toBe('21.6., 00:30')
  expect(factsOfEvent({ ...event, starts_at: '2026-06-20T04:00:00Z', all_day: true }, zone)).toBe('20.6., CHF 18.50')
  expect(factsOfEvent({ ...event, last_day: '2026-07-02' }, zone)).toBe('20.6.–2.7., CHF 18.50')
})
