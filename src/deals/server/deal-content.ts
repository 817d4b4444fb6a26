import type { Merchant } from '../../businesses/server/merchant.ts'
import { guessLanguage } from '../../kit/server/guess-language.ts'
import { chfFromRappen, rappenFromChf, withoutCurrency } from '../../kit/shared/money.ts'
import { invalidInput, Refusal, type Fault } from '../../kit/shared/refusal.ts'
import { dealLanguages } from '../contract.ts'
import { changedRow, emptyRow } from '../../kit/shared/thing.ts'
import type { DealChanges } from '../contract/editing.ts'
import { dealFields, type DealFields } from '../deal.ts'
import { amountIn, struckPriceFault } from '../policy.ts'
import type { DealContent, DealsTable } from './store.ts'

/** The content of a new deal before its first field is set; it is at its merchant's place. */
export function newContent({ latitude, longitude }: Merchant): DealContent {
  return { ...emptyRow<DealFields, DealsTable>(dealFields), lang: null, latitude, longitude, state: 'draft' }
}

interface ContentContext {
  zone: string
  /** When the deal was created; it begins then unless it has a start. */
  created: Date
}

/**
 * The deal with the changes. A new price sent without the usual price drops a struck-out price that the ordinance no longer
 * allows.
 * @throws `invalid_input` with the field that does not fit the others
 */
export function changedContent<Deal extends DealContent>(
  deal: Deal,
  changes: DealChanges,
  { zone, created }: ContentContext,
): { deal: Deal; struckPriceDropped: boolean } {
  const fault = (field: string, key: string, values?: Fault['values']) => invalidField(field, { key, values })
  const changed: Deal = { ...deal, ...sentContent(changes, deal, zone) }
  if (wordsOf(changed) !== wordsOf(deal)) changed.lang = guessLanguage(wordsOf(changed), dealLanguages)
  if (changed.starts_at && changed.ends_at && Date.parse(changed.ends_at) <= Date.parse(changed.starts_at))
    throw fault('ends_at', 'end_before_start')
  if ((changed.start_time === null) !== (changed.end_time === null))
    throw fault(changed.start_time === null ? 'start_time' : 'end_time', 'both_times')
  if (changed.start_time !== null && changed.start_time?.slice(0, 5) === changed.end_time?.slice(0, 5))
    throw fault('end_time', 'same_times')
  const isLimitSent = changes.per_user_limit !== undefined || changes.total_limit !== undefined
  if (isLimitSent && changed.total_limit !== null && changed.per_user_limit > changed.total_limit)
    throw fault(changes.per_user_limit === undefined ? 'total_limit' : 'per_user_limit', 'per_user_above_total')
  if ((changed.latitude === null) !== (changed.longitude === null))
    throw fault(changed.latitude === null ? 'latitude' : 'longitude', 'both_coordinates')
  const struck = struckFaultOf(changed, created, zone)
  if (!struck) return { deal: changed, struckPriceDropped: false }
  const isMeant = changes.regular_price_chf != null || changes.regular_price_since != null
  if (isMeant) throw fault(struck.field, struck.key, 'most' in struck ? { days: struck.days, most: struck.most } : {})
  return { deal: { ...changed, regular_price_rappen: null, regular_price_since: null }, struckPriceDropped: true }
}

/** Whether the deal has all these values already. */
export function changesNothing(deal: DealContent, changes: DealChanges, zone: string): boolean {
  return isSameContent(sentContent(changes, deal, zone), deal)
}

/** Whether the deal has this content already. */
export const isSameContent = (content: Partial<DealContent>, deal: DealContent): boolean =>
  Object.entries(content).every(
    ([name, value]) => comparable(name, value) === comparable(name, deal[name as keyof DealContent]),
  )

function comparable(name: string, value: unknown) {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name === 'starts_at' || name === 'ends_at') return Date.parse(value)
  return name === 'start_time' || name === 'end_time' ? value.slice(0, 5) : value
}

const wordsOf = ({ deal_name, description }: DealContent) => `${deal_name}\n${description ?? ''}`

/** For a copy on other days: drops a struck-out price that the ordinance does not allow then. */
export function withoutStruckPrice<Deal extends DealContent>(deal: Deal, created: Date, zone: string): Deal {
  if (!struckFaultOf(deal, created, zone)) return deal
  return { ...deal, regular_price_rappen: null, regular_price_since: null }
}

export const invalidField = (field: string, fault: Fault) => new Refusal(invalidInput, { fields: { [field]: fault } })

/** The fields that were sent, as they are stored. `before`: the deal as it was. */
function sentContent(changes: DealChanges, before: DealContent, zone: string): Partial<DealContent> {
  const content = changedRow<DealFields, DealsTable>(dealFields, changes, {
    deal_name: (name) => name.trim(),
    price: withoutCurrency,
    tags: tagsOf,
    starts_at: (text) => instantOf(text, zone),
    ends_at: (text) => instantOf(text, zone),
    active_days: daysMask,
    start_time: (time) => time,
    end_time: (time) => time,
    price_chf: rappenFromChf,
    regular_price_chf: rappenFromChf,
  })
  // without `price_chf`, a new price sets the amount or removes it: else screens would show the old amount. The same price, such as
  // "12 / kg", sent again keeps the amount.
  if (changes.price_chf == null && changes.price !== undefined) {
    const amount = amountIn(content.price ?? null)
    if (amount !== null || content.price !== before.price || changes.price_chf === null)
      content.price_rappen = amount === null ? null : rappenFromChf(amount)
  }
  return content
}

/** Trimmed, without duplicates (case does not count). */
function tagsOf(tags: string[]): string[] {
  const found = new Map(tags.map((tag) => [tag.trim().toLowerCase(), tag.trim()]))
  return [...found.values()].filter((tag) => tag !== '')
}

/** Weekdays 1 to 7 as bits; null for none and for all seven: every day. */
export function daysMask(days: number[]): number | null {
  const mask = days.reduce((bits, day) => bits | (1 << (day - 1)), 0)
  return mask === 0 || mask === 127 ? null : mask
}

function instantOf(text: string, zone: string): string {
  const hasOffset = /(Z|[+-]\d\d:\d\d)$/.test(text)
  const instant = hasOffset
    ? Temporal.Instant.from(text)
    : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
  return instant.toString({ fractionalSecondDigits: 3 })
}

function struckFaultOf(deal: DealContent, created: Date, zone: string) {
  // a fast way out: most deals have no usual price, and computing the days is slow
  if (deal.regular_price_rappen === null) return null
  const dayOf = (instant: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
  const chf = (rappen: number | null) => (rappen === null ? null : chfFromRappen(rappen))
  return struckPriceFault({
    price_chf: chf(deal.price_rappen),
    regular_price_chf: chf(deal.regular_price_rappen),
    regular_price_since: deal.regular_price_since,
    begins: dayOf(deal.starts_at ?? created.toISOString()),
    ends: deal.ends_at === null ? null : dayOf(new Date(Date.parse(deal.ends_at) - 1).toISOString()),
  })
}
