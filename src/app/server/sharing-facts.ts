import type { Deal } from '../../deals/contract.ts'
import type { Event } from '../../events/contract.ts'
import { chf } from '../../kit/shared/numbers.ts'

/**
 * "CHF 9.00, 18:00–20:00", the line of a sharing picture. Without words, since the reader's language is unknown, and without
 * anything that changes with time, since other sites cache pictures for long.
 */
export function factsOfDeal(
  deal: Pick<Deal, 'price' | 'price_chf' | 'discount' | 'start_time' | 'end_time' | 'ends_at'>,
  zone: string,
): string {
  // a free deal shows the merchant's words instead of an amount
  const words = deal.price_chf === 0 ? deal.discount : (deal.price ?? deal.discount)
  const price = deal.price_chf ? chf(deal.price_chf) : words
  const hours = deal.start_time && deal.end_time ? `${deal.start_time}–${deal.end_time}` : null
  const end = deal.ends_at && !hours ? `–${dayOf(deal.ends_at, zone)}` : null
  return [price, hours ?? end].filter(Boolean).join(', ')
}

/** "20.6., 19:00–20:00, CHF 18.50"; of several days "20.6.–22.6."; all day "20.6." */
export function factsOfEvent(
  event: Pick<Event, 'starts_at' | 'ends_at' | 'all_day' | 'festival_day' | 'last_day' | 'price_chf'>,
  zone: string,
): string {
  const end = event.ends_at === null ? '' : `–${clock(event.ends_at, zone)}`
  const isManyDays = event.last_day > event.festival_day
  return [
    isManyDays ? `${shortDate(event.festival_day)}–${shortDate(event.last_day)}` : dayOf(event.starts_at, zone),
    isManyDays || event.all_day ? null : `${clock(event.starts_at, zone)}${end}`,
    event.price_chf ? chf(event.price_chf) : null,
  ]
    .filter(Boolean)
    .join(', ')
}

const wall = (iso: string, zone: string) => Temporal.Instant.from(iso).toZonedDateTimeISO(zone)

const clock = (iso: string, zone: string) => wall(iso, zone).toPlainTime().toString({ smallestUnit: 'minute' })

const shortDate = (day: string) => `${Number(day.slice(8))}.${Number(day.slice(5, 7))}.`

/** "20.6.", as all languages of Switzerland write it. */
const dayOf = (iso: string, zone: string) => `${wall(iso, zone).day}.${wall(iso, zone).month}.`
