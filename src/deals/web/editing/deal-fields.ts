import type { FormValues } from '../../../kit/browser/form-drafts.ts'
import type { Deal } from '../../contract.ts'
import { emptyDealForm } from '../../contract/editing.ts'
import { wallTime } from '../../../kit/shared/calendar.ts'
import { formText, formTexts } from '../../../kit/shared/form-text.ts'
import { withoutCurrency } from '../../../kit/shared/money.ts'
import { amountIn } from '../../policy.ts'
import type { CardDeal } from '../card-deal.ts'

/** A deal as the texts of its form. Times are wall-clock times of the festival's zone. */
export function fieldsOf(deal: Deal, zone: string): FormValues {
  const wall = (iso: string | null) => (iso === null ? '' : wallTime(zone, Date.parse(iso)))
  return {
    ...formTexts(emptyDealForm, deal),
    // the reader puts '–' for a missing name
    deal_name: deal.deal_name === '–' ? '' : deal.deal_name,
    price: withoutCurrency(deal.price ?? ''),
    starts_at: wall(deal.starts_at),
    ends_at: wall(deal.ends_at),
    start_time: formText(deal.start_time).slice(0, 5),
    end_time: formText(deal.end_time).slice(0, 5),
    // the form hides the amount where the price is one
    price_chf: amountIn(deal.price) === null ? formText(deal.price_chf) : '',
  }
}

/** The instant (ms since 1970) of a wall time in the zone. */
function instantOf(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return asUtc
  // 0 for NaN: a half-typed year may be out of range
  const ahead = (ms: number) => Date.parse(`${wallTime(zone, ms)}Z`) - ms || 0
  // twice, for days on which clocks change
  return asUtc - ahead(asUtc - ahead(asUtc))
}

/** Sent with every save, as the specification asks. */
const specified = ['deal_name', 'description', 'price', 'discount']

/** The body of a save: the specified fields, and others that were changed. */
export function payloadOf(values: FormValues, changed: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const name of Object.keys(emptyDealForm))
    if (specified.includes(name) || changed.includes(name)) body[name] = values[name] ?? ''
  const price = withoutCurrency(values['price'] ?? '')
  body['price'] = price
  if ('tags' in body) body['tags'] = tagsIn(values)
  if ('active_days' in body) body['active_days'] = daysIn(values)
  // a place and a comparison of prices are only valid as pairs
  for (const [one, other] of pairs)
    if (one in body || other in body) Object.assign(body, { [one]: values[one] ?? '', [other]: values[other] ?? '' })
  // many people write cents after a comma
  for (const name of ['price_chf', 'regular_price_chf'])
    if (typeof body[name] === 'string') body[name] = body[name].trim().replace(',', '.')
  // if the price is an amount the form hides the field for it, so its old value is dropped
  if ('price_chf' in body && amountIn(price) !== null) body['price_chf'] = ''
  return body
}

const pairs = [
  ['latitude', 'longitude'],
  ['start_time', 'end_time'],
  ['regular_price_chf', 'regular_price_since'],
] as const

export const tagsIn = (values: FormValues) =>
  (values['tags'] ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
export const daysIn = (values: FormValues) => (values['active_days'] ?? '').split(',').filter(Boolean).map(Number)

/** The deal for the preview of its card, from the fields so far. */
export function previewOf(
  values: FormValues,
  of: Pick<Deal, 'deal_id' | 'business_name' | 'is_premium'>,
  zone: string,
): CardDeal {
  const text = (name: string) => values[name]?.trim() || null
  const chf = (name: string) => {
    const amount = Number(text(name)?.replace(',', '.'))
    return text(name) && Number.isFinite(amount) ? amount : null
  }
  const moment = (name: string) => {
    const ms = instantOf(text(name) ?? '', zone)
    return Number.isNaN(ms) ? null : new Date(ms).toISOString()
  }
  const price = withoutCurrency(values['price'] ?? '')
  const hasTimes = daysIn(values).length > 0 || (text('start_time') && text('end_time'))
  return {
    ...of,
    deal_name: text('deal_name') ?? '–',
    lang: null,
    category: (values['category'] ?? 'other') as Deal['category'],
    image_url: text('image_url'),
    discount: text('discount'),
    price: price || null,
    price_chf: amountIn(price) ?? chf('price_chf'),
    regular_price_chf: chf('regular_price_chf'),
    regular_price_since: text('regular_price_since'),
    latitude: null,
    longitude: null,
    // as if the place were open
    usable_now: moment('starts_at') ? false : hasTimes ? null : true,
    usable_from: moment('starts_at'),
    usable_until: null,
    over_at: moment('ends_at'),
    active_days: daysIn(values).length > 0 ? daysIn(values) : null,
    start_time: text('end_time') && text('start_time'),
    end_time: text('start_time') && text('end_time'),
    open_now: true,
    open_until: null,
    opens_at: null,
    rating_mean: null,
    rating_count: 0,
  }
}
