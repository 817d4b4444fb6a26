/** Words and limits of deals for the contract and the screens; imports no library. */

/** `sold_out` and `expired` follow from limits and times, `scheduled` from a start in the future. */
export const dealStatuses = ['draft', 'scheduled', 'active', 'paused', 'sold_out', 'expired', 'archived'] as const
export type DealStatus = (typeof dealStatuses)[number]

/** Languages in which merchants write. */
export const dealLanguages = ['en', 'de', 'fr', 'it'] as const
export type DealLanguage = (typeof dealLanguages)[number]

export const rankReasons = [
  'sponsored',
  'match',
  'open_now',
  'starts_soon',
  'later_today',
  'hours_unknown',
  'ending_soon',
  'well_rated',
  'near',
  'new',
  'no_location',
] as const

/** What a pin on the map shows by its shape. */
export const pinTimes = ['now', 'ending', 'later'] as const

export const dealSorts = ['best', 'distance', 'price', 'rating', 'ending_soon', 'new'] as const

/** Deals of one merchant in an answer. At this number screens say that there may be more. */
export const mostListed = 200

/** Deals per request that are copied to other days. */
export const mostCopies = 50

/** The highest price, CHF. */
export const mostChf = 100_000
export const mostItems = 1_000_000
export const tagLimits = { most: 10, letters: 40 }

/** Names of the facts about a deal. Not in the room that publishes them: rooms below it listen, too. */
export const dealFacts = {
  published: 'deal-published',
  hidden: 'deal-hidden',
  freed: 'deal-freed',
  redeemed: 'deal-redeemed',
  redemptionUndone: 'redemption-undone',
} as const
