import { z } from 'zod'
import { businessId, demoPosition } from '../../businesses/demo/demo-businesses.ts'
import { categories } from '../../brand/categories.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, readDemo, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { createDeal } from '../contract/editing.ts'
import { dealLanguages } from '../limits.ts'
import { daysMask } from '../server/deal-content.ts'

/** Minutes from now, rounded up to a quarter of an hour; or days from today and a time of day. */
const momentShape = z.union([
  z.strictObject({ minutes: z.int() }),
  z.strictObject({ days: z.int(), time: z.string().regex(/^\d\d:\d\d$/) }),
])

/** The fields that a merchant sends, with moments relative to the first start of the demo. */
const demoDeal = createDeal
  .body!.omit({ starts_at: true, ends_at: true, regular_price_since: true, draft: true })
  .extend({
    business_name: z.string(),
    lang: z.enum(dealLanguages),
    category: z.enum(categories),
    starts: momentShape.optional(),
    ends: momentShape.optional(),
    /** Days at the regular price before the deal begins; the price ordinance needs 30. */
    regular_price_days: z.int().optional(),
    redeemed_count: z.int().default(0),
    state: z.enum(['published', 'draft', 'paused']).default('published'),
    made_minutes_ago: z.int(),
  })
  .strict()
type DemoDeal = z.output<typeof demoDeal>

export const demoDeals = () => readDemo('deals', z.array(demoDeal))

/** Needs the businesses of the demo. */
export async function fillDemoDeals(trx: Sql, setting: DemoSetting): Promise<void> {
  await insertRows(trx, 'deals', dealRows(setting))
}

export const dealRows = (setting: DemoSetting) => demoDeals().map((deal) => dealRow(deal, setting))

function dealRow(deal: DemoDeal, { now, zone, centre }: DemoSetting) {
  const starts = deal.starts ? momentOf(deal.starts, now, zone) : null
  const ends = deal.ends ? momentOf(deal.ends, now, zone) : null
  const written = now.subtract({ minutes: deal.made_minutes_ago })
  const created = starts && Temporal.Instant.compare(starts, written) < 0 ? starts.subtract({ hours: 20 }) : written
  const begins = (starts ?? created).toZonedDateTimeISO(zone).toPlainDate()
  return {
    deal_id: stableId(`deal ${deal.business_name} ${deal.deal_name}`),
    business_id: businessId(deal.business_name),
    deal_name: deal.deal_name,
    lang: deal.lang,
    description: deal.description ?? null,
    price: deal.price ?? null,
    discount: deal.discount ?? null,
    category: deal.category,
    tags: deal.tags ?? [],
    terms: deal.terms ?? null,
    state: deal.state,
    starts_at: starts?.toString() ?? null,
    ends_at: ends?.toString() ?? null,
    active_days: daysMask(deal.active_days ?? []),
    start_time: deal.start_time ?? null,
    end_time: deal.end_time ?? null,
    price_rappen: deal.price_chf == null ? null : rappenFromChf(deal.price_chf),
    regular_price_rappen: deal.regular_price_chf == null ? null : rappenFromChf(deal.regular_price_chf),
    regular_price_since:
      deal.regular_price_days === undefined ? null : begins.subtract({ days: deal.regular_price_days }).toString(),
    total_limit: deal.total_limit ?? null,
    redeemed_count: deal.redeemed_count,
    per_user_limit: 1,
    redemption_mode: deal.redemption_mode ?? 'none',
    ...demoPosition(centre, deal.latitude, deal.longitude),
    created_at: created.toString(),
    updated_at: created.toString(),
    // the table's defaults, which rows from JSON do not get
    facets: [],
    doc: '',
    rating_count: 0,
    rating_sum: 0,
  }
}

export function momentOf(moment: z.output<typeof momentShape>, now: Temporal.Instant, zone: string): Temporal.Instant {
  if ('minutes' in moment)
    return now.add(moment).round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'ceil' })
  const day = now.toZonedDateTimeISO(zone).toPlainDate().add({ days: moment.days })
  return day.toZonedDateTime({ timeZone: zone, plainTime: moment.time }).toInstant()
}
