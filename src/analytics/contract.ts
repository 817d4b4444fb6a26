import { z } from 'zod'
import { businessNotFound } from '../businesses/contract.ts'
import { dealNotFound } from '../deals/contract.ts'
import { answerId, answerInstant, answerList, answerName } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { bodyNumber, pathId, queryChoice, queryNumber, queryText } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'

/** Days of one answer. */
export const mostDays = 366
/** Days of an answer by the hour. */
export const mostDaysByHour = 31
/** Deals of one business in an answer, those redeemed most. */
export const mostDeals = 200
/** Deals that a browser reports as shown in one beacon. */
export const shownPerBeacon = 100

/** Charts come with PREMIUM. */
export const needsPremium = { code: 'needs_premium', status: 403 } as const satisfies RefusalKind
/** Export and what-if come with ULTIMATE. */
export const needsUltimate = { code: 'needs_ultimate', status: 403 } as const satisfies RefusalKind
/** The highest price or cost, as for the price of a deal. */
const mostChf = 100_000
/** Redemptions in 30 days that an estimate for another price needs: fewer are mostly chance. */
export const redemptionsForWhatIf = 30
export const needsRedemptions = { code: 'needs_redemptions', status: 409 } as const satisfies RefusalKind
/** The deal has no amount in CHF, or is free. */
export const needsPrice = { code: 'needs_price', status: 409 } as const satisfies RefusalKind
/** The price is less than half or more than double the current one: no estimate. */
export const priceTooFar = { code: 'price_too_far', status: 409 } as const satisfies RefusalKind

const count = z.number().int().min(0)

const figureFields = {
  impressions: count.meta({ description: 'times that it was shown in a list or on the map, once a visit' }),
  opens: count.meta({ description: 'times that its page was opened, at most 10 per visitor and 30 minutes' }),
  visitors: count.meta({ description: 'different visitors who opened it, counted anew each day' }),
  saves: count.meta({ description: 'without those taken back' }),
  claims: count,
  redemptions: count.meta({ description: 'without those undone' }),
  sales_chf: z.number(),
}
/** All of them 0. */
export const noFigures = { impressions: 0, opens: 0, visitors: 0, saves: 0, claims: 0, redemptions: 0, sales_chf: 0 }
export const figures = z.object(figureFields).meta({ id: 'Figures', unread: noFigures })
export type Figures = z.infer<typeof figures>

export const analytics = z
  .object({
    from: z.iso.date().meta({ maxLength: 10 }),
    to: z.iso.date().meta({ maxLength: 10, description: 'the last day, included' }),
    bucket: z.enum(['hour', 'day']).meta({ unread: 'day' }),
    total: figures,
    before: figures
      .nullable()
      .meta({ description: 'as many days before, up to the same time of day; null where all was asked for' }),
    buckets: answerList(
      z.object({ at: answerInstant.meta({ description: 'its beginning' }), ...figureFields }).meta({ id: 'FiguresAt' }),
      mostDaysByHour * 25,
    ),
    by_hour: answerList(
      z.object({ hour: z.number().int().min(0).max(23), ...figureFields }).meta({ id: 'FiguresOfHour' }),
      24,
    ).meta({ description: "all days together, by the hours of the festival's clocks" }),
    by_deal: answerList(
      z.object({ deal_id: answerId, deal_name: answerName(80), ...figureFields }).meta({ id: 'FiguresOfDeal' }),
      mostDeals,
    ),
    ratings: answerList(
      z
        .object({
          at: answerInstant.meta({ description: 'beginning of the day' }),
          count: count.meta({ description: 'of that day' }),
          mean: z.number().nullable().meta({ description: 'of all ratings up to the end of that day' }),
        })
        .meta({ id: 'RatingsOfDay' }),
      mostDays,
    ),
  })
  .meta({ id: 'Analytics' })
export type Analytics = z.infer<typeof analytics>

const day = queryText(10).meta({ description: "YYYY-MM-DD on the festival's clocks" })
const period = {
  from: day.describe('absent: since the first deal, at most 366 days'),
  to: day.describe('absent: today'),
}
const ofBusiness = z.object({ business_id: pathId })
const merchantsAlone = { roles: ['business'] } as const

export const getBusinessAnalytics = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}/analytics',
  summary: 'What became of the deals of the own business; by hour for at most 31 days',
  tag: 'analytics',
  params: ofBusiness,
  query: z.object({ ...period, bucket: queryChoice(['hour', 'day']) }),
  access: merchantsAlone,
  answer: analytics,
  refusals: [invalidInput, businessNotFound, needsPremium],
})

export const getDealAnalytics = endpoint({
  method: 'GET',
  path: '/api/deals/{deal_id}/analytics',
  summary: 'What became of one of the own deals',
  tag: 'analytics',
  params: z.object({ deal_id: pathId }),
  query: z.object({ ...period, bucket: queryChoice(['hour', 'day']) }),
  access: merchantsAlone,
  answer: analytics,
  refusals: [invalidInput, dealNotFound, needsPremium],
})

export const exportAnalytics = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}/analytics.csv',
  summary: 'The figures of each deal and day as CSV',
  tag: 'analytics',
  params: ofBusiness,
  query: z.object(period),
  access: merchantsAlone,
  answer: null,
  fileType: 'text/csv',
  refusals: [invalidInput, businessNotFound, needsPremium, needsUltimate],
})

/** Needed: a sentence with a wrong figure is worse than none. */
const neededFigure = z.number().meta({ unread: undefined })
const neededCount = count.meta({ unread: undefined })

const redemptionsRange = z
  .object({ low: neededCount, mid: neededCount, high: neededCount })
  .meta({ id: 'RedemptionsRange', description: 'the worst and the best case around the middle' })
const range = z.object({ low: neededFigure, mid: neededFigure, high: neededFigure }).meta({ id: 'Range' })

export const whatIf = z
  .object({
    deal_id: answerId.meta({ unread: '' }),
    price_now: neededFigure.meta({ description: 'CHF' }),
    price: neededFigure.meta({ description: 'CHF, as asked' }),
    redemptions_30_days: neededCount.meta({ description: 'the last 30 days, today included; without those undone' }),
    expected: redemptionsRange.meta({ description: 'redemptions in 30 days at the other price' }),
    margin_now: z.number().nullable().meta({ description: 'CHF in the last 30 days; null without a cost' }),
    margin: range.nullable().meta({ description: 'CHF in 30 days at the other price; null without a cost' }),
    elasticity: range.meta({
      description: 'assumed, not measured: expected = redemptions_30_days × (price / price_now)^(−elasticity)',
    }),
  })
  .meta({ id: 'WhatIf' })
export type WhatIf = z.infer<typeof whatIf>

export const getWhatIf = endpoint({
  method: 'GET',
  path: '/api/deals/{deal_id}/what-if',
  summary:
    'Redemptions and margin to expect of one of the own deals at another price, from half to double the current one',
  tag: 'analytics',
  params: z.object({ deal_id: pathId }),
  query: z.object({
    price: bodyNumber(0.01, mostChf).describe('CHF'),
    cost: queryNumber(0, mostChf).describe('CHF that one piece costs the merchant; absent: no margin'),
  }),
  access: merchantsAlone,
  answer: whatIf,
  refusals: [invalidInput, dealNotFound, needsPremium, needsUltimate, needsPrice, priceTooFar, needsRedemptions],
})

export const reportShown = endpoint({
  method: 'POST',
  path: '/api/impressions',
  summary: 'Deals that were before the eyes of a visitor; a beacon sent again counts once',
  tag: 'analytics',
  body: z.object({
    // any 128 bits: browsers make UUIDs only on pages with TLS
    beacon_id: z
      .string()
      .regex(/^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/)
      .meta({ description: 'drawn for this beacon, tells nothing of the visitor', maxLength: 36 }),
    deal_ids: z
      .array(z.uuid().meta({ maxLength: 36 }))
      .min(1)
      .max(shownPerBeacon),
  }),
  access: 'noticed',
  answer: null,
  status: 204,
  seenLater: true,
  refusals: [invalidInput],
})
