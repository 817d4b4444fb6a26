import { z } from 'zod'
import { categories } from '../brand/categories.ts'
import { answerDegrees, answerId, answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { pageQuery, pathId, queryBoolean, queryBox, queryChoice, queryNumber, queryText } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'
import { answerOf } from '../kit/shared/thing.ts'
import { dealFields, listedFields, specifiedFields } from './deal.ts'
import { dealSorts, mostChf, pinTimes, rankReasons } from './limits.ts'

export * from './limits.ts'

/** Search radius in km. */
export const radiusKm = { min: 0.1, max: 50, default: 5 }
/** Without `limit` a search answers the whole circle, at most this many. */
export const wholeCircleLimit = 500
/** A search counts its results up to this number; more are shown as "more than 200". Counting all was most of its cost. */
export const searchTotalCap = 200
/** `view=map` answers single deals up to this many, clusters beyond. */
export const mapLimit = 2000
/** Beside clusters, premium deals stay single up to this many. */
export const premiumOnMap = 500

export const dealNotFound = { code: 'deal_not_found', status: 404 } as const satisfies RefusalKind
export const dealsOfUnknownBusiness = { code: 'business_not_found', status: 404 } as const satisfies RefusalKind

const wholeDeal = answerOf(dealFields)

export const deal = z.object(wholeDeal).meta({ id: 'Deal' })
export type Deal = z.infer<typeof deal>

/** When a deal can be used. */
export const dealTimes = deal
  .pick({
    usable_now: true,
    usable_from: true,
    usable_until: true,
    over_at: true,
    active_days: true,
    start_time: true,
    end_time: true,
    open_now: true,
    open_until: true,
    opens_at: true,
  })
  .meta({ id: 'DealTimes' })
export type DealTimes = z.infer<typeof dealTimes>

/** Where a deal is, how much it costs and how good it is, as on its card. */
export const dealValue = deal
  .pick({
    price: true,
    price_chf: true,
    discount: true,
    regular_price_chf: true,
    regular_price_since: true,
    rating_mean: true,
    rating_count: true,
    latitude: true,
    longitude: true,
  })
  .meta({ id: 'DealValue' })
export type DealValue = z.infer<typeof dealValue>

/** Days of a trend, the last one today. */
export const trendDays = 7
/** The figures of a deal that its merchant sees. */
const figures = z
  .object({
    views: z.number().int().meta({ description: 'openings of the deal since it began' }),
    trend: answerList(z.number().int(), trendDays).meta({ description: 'views of the last 7 days, today last' }),
    claims: z.number().int().nullable().meta({ description: 'null: not counted' }),
    redemptions: z.number().int(),
  })
  .meta({ id: 'DealFigures' })
export type DealFigures = z.infer<typeof figures>

/** A deal as only its merchant gets it: with its figures, and whether it takes a place of the tier. */
export const ownDeal = z
  .object({
    ...wholeDeal,
    figures: figures.optional(),
    uses_place: z.boolean().optional().meta({
      description: "takes one of the tier's places: published, and not over; also where it can never be used",
    }),
    paused_by_plan: z.boolean().optional().meta({ description: 'paused because its plan had no room for it' }),
    hidden_with_merchant: z
      .boolean()
      .optional()
      .meta({ description: 'hidden because its whole business is not public' }),
    hidden_reason: answerText(500).nullable().optional().meta({ description: 'why staff hid it after a report' }),
  })
  .meta({ id: 'OwnDeal' })
export type OwnDeal = z.infer<typeof ownDeal>

/** Part of a text, in UTF-16 units. */
const span = z.object({ start: z.number().int(), end: z.number().int() }).meta({ id: 'Span' })
const marked = z.object({ text: answerText(200).meta({ unread: undefined }), spans: answerList(span, 100) })

/** Where a deal has the words of a search, so that screens can mark them. */
export const dealMatch = z
  .object({
    name: answerList(span, 100).meta({ description: 'in deal_name' }),
    merchant: answerList(span, 100).meta({ description: 'in business_name' }),
    tag: marked.nullable().meta({ description: 'a tag, when neither name nor merchant has the words' }),
    excerpt: marked.nullable().meta({ description: 'of the description, when nothing else has the words' }),
  })
  .meta({ id: 'DealMatch' })
export type DealMatch = z.infer<typeof dealMatch>

const match = dealMatch.nullable().meta({ description: 'null: no words were asked for, or they name its category' })

const inLists = answerOf(listedFields)

export const listedDeal = z.object({ ...inLists, match }).meta({ id: 'ListedDeal' })
export type ListedDeal = z.infer<typeof listedDeal>

export const foundDeal = z
  .object({
    ...inLists,
    distance_km: z.number().nullable().meta({ description: 'straight line; null without a location' }),
    sponsored: z.boolean().meta({ description: 'a paid place (CHF 200 promotion)' }),
    match,
    rank_reason: z.enum(rankReasons).meta({ unread: 'near', description: 'why it stands where it stands' }),
  })
  .meta({ id: 'FoundDeal' })
export type FoundDeal = z.infer<typeof foundDeal>

/** Needed: without a place there is nothing to draw. */
const neededDegrees = (most: 90 | 180) => answerDegrees(most).meta({ unread: undefined })

const pin = z
  .object({
    deal_id: answerId,
    latitude: neededDegrees(90),
    longitude: neededDegrees(180),
    is_premium: z.boolean(),
    category: z.enum(categories).meta({ unread: 'other' }),
    time: z.enum(pinTimes).meta({
      unread: 'now',
      description: 'usable now, in its last hours, or later (or nobody knows)',
    }),
  })
  .meta({ id: 'DealPin' })
export type DealPin = z.infer<typeof pin>

const cluster = z
  .object({
    cluster: z
      .number()
      .int()
      .meta({ unread: undefined, description: 'number of deals; of very many an estimate, to two digits' }),
    latitude: neededDegrees(90),
    longitude: neededDegrees(180),
    premium: z.number().int().meta({ description: 'how many of them are premium' }),
  })
  .meta({ id: 'DealCluster' })
export type Cluster = z.infer<typeof cluster>

export const mapRow = z.union([z.object(answerOf(specifiedFields)).meta({ id: 'DealOnMap' }), cluster, pin])

const maxPrice = queryNumber(0, mostChf).meta({
  description: 'CHF, of `price_chf`; 0: free. Deals without an amount are left out',
})

/** The query of a search, the same for a list and a map. */
const searchQuery = {
  q: queryText(200),
  category: queryText(60).meta({ description: 'a key, label, synonym or tag, in any of the languages' }),
  openNow: queryBoolean(),
  max_price: maxPrice,
  sponsored: queryBoolean().meta({ description: 'true: premium deals only', override: { type: 'boolean' } }),
  radius: queryNumber(radiusKm.min, radiusKm.max).meta({ description: 'km' }),
  lat: queryNumber(-90, 90),
  lon: queryNumber(-180, 180),
  bbox: queryBox(),
  sort: queryChoice([...dealSorts, 'soonest']).meta({
    description: '"soonest": what can be used now or next, also what has not started; unknown hours last',
  }),
}

export const searchDeals = endpoint({
  method: 'GET',
  path: '/api/deals/search',
  summary: 'Deals near a place',
  tag: 'deals',
  query: z.object({
    ...searchQuery,
    hide_sponsored: queryBoolean().meta({ description: 'true: no paid places', override: { type: 'boolean' } }),
    view: queryChoice(['list', 'map']),
    ...pageQuery,
  }),
  // without a limit the answer has up to 500 deals
  costly: ({ q, openNow, max_price, sponsored, sort = 'best', limit }) =>
    q !== undefined ||
    openNow ||
    max_price !== undefined ||
    sponsored ||
    !['best', 'distance'].includes(sort) ||
    limit === undefined,
  access: 'public',
  shared: true,
  answer: answerList(foundDeal, wholeCircleLimit),
  paged: true,
  refusals: [invalidInput],
})

export const mapDeals = endpoint({
  method: 'GET',
  path: '/api/deals/search?view=map',
  summary: 'Deals near a place, as a map draws them',
  tag: 'deals',
  query: z.object({
    ...searchQuery,
    compact: queryBoolean().meta({
      description: 'with view=map: single deals as id, place and is_premium alone',
      override: { type: 'boolean' },
    }),
  }),
  costly: () => true,
  access: 'public',
  shared: true,
  answer: answerList(mapRow, mapLimit + premiumOnMap),
  paged: true,
  refusals: [invalidInput],
})

export const listDeals = endpoint({
  method: 'GET',
  path: '/api/deals',
  summary: 'All live deals, newest first',
  tag: 'deals',
  query: z.object({
    q: queryText(200),
    category: queryText(60),
    openNow: queryBoolean(),
    max_price: maxPrice,
    sort: queryChoice(['new', 'ending_soon', 'rating', 'price', 'best']),
    ...pageQuery,
  }),
  costly: ({ q, openNow, max_price, sort }) => q !== undefined || openNow || max_price !== undefined || sort === 'best',
  access: 'public',
  shared: true,
  answer: answerList(listedDeal, 100),
  paged: true,
  refusals: [invalidInput],
})

export const getDeal = endpoint({
  method: 'GET',
  path: '/api/deals/{deal_id}',
  summary: 'One deal',
  tag: 'deals',
  params: z.object({ deal_id: pathId }),
  access: 'noticed',
  shared: true,
  answer: deal,
  version: 'updated_at',
  refusals: [dealNotFound],
})

export const listDealsOfBusiness = endpoint({
  method: 'GET',
  path: '/api/deals/business/{business_id}',
  summary:
    'The live deals of a business, at most 200; with its own token all that are not archived, with their figures',
  tag: 'deals',
  params: z.object({ business_id: pathId }),
  access: 'noticed',
  shared: true,
  answer: answerList(ownDeal, 200),
  refusals: [dealsOfUnknownBusiness],
})

export const viewDeal = endpoint({
  method: 'PUT',
  path: '/api/deals/{deal_id}/view',
  summary: 'Counts an opening of the deal; 204 whether it counted or not',
  tag: 'deals',
  seenLater: true,
  params: z.object({ deal_id: pathId }),
  access: 'noticed',
  answer: null,
  status: 204,
  refusals: [dealNotFound],
})
