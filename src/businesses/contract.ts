import { z } from 'zod'
import { answerDegrees, answerInstant, answerList, answerText, orUnread } from '../kit/shared/answer.ts'
import { challengeRequired, merchantsAlone, signupFields } from '../accounts/contract.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import {
  absentWhenEmpty,
  properName,
  pageQuery,
  pathId,
  queryBoolean,
  queryBox,
  queryChoice,
  queryNumber,
  queryText,
  text,
} from '../kit/shared/input.ts'
import { answerOf } from '../kit/shared/thing.ts'
import { invalidInput, tooLarge, tooMany, unsupportedMediaType, type RefusalKind } from '../kit/shared/refusal.ts'
import { listedFields, ownerFields, publicFields } from './business.ts'
import { opening } from './contract/opening.ts'
import { logoMaxBytes, signupTiers, tiers } from './limits.ts'

export * from './contract/opening.ts'
export * from './limits.ts'

/** The file is no PNG, JPEG or WebP by its bytes, or is broken. */
export const logoNoImage = { code: 'logo_no_image', status: 422 } as const satisfies RefusalKind
export const logoTooManyPixels = { code: 'logo_too_many_pixels', status: 422 } as const satisfies RefusalKind
/** Staff suspended the business: until they lift it, it can publish nothing and buy no placement. */
export const businessSuspended = { code: 'business_suspended', status: 403 } as const satisfies RefusalKind
/** The account will be deleted: unless that is cancelled, the business can publish and buy nothing. */
export const businessLeaving = { code: 'business_leaving', status: 409 } as const satisfies RefusalKind
export const businessNotFound = { code: 'business_not_found', status: 404 } as const satisfies RefusalKind

export const publicBusiness = z.object(answerOf(publicFields)).meta({ id: 'Business' })
export type PublicBusiness = z.infer<typeof publicBusiness>

/** With the owner's token the answer also has the owner's fields. */
export const businessForOwner = z
  .object({ ...publicBusiness.shape, ...z.object(answerOf(ownerFields)).partial().shape })
  .meta({ id: 'BusinessForOwner' })
export type BusinessForOwner = z.infer<typeof businessForOwner>

export const businessInList = z
  .object({
    ...answerOf(listedFields),
    live_deals: z.number().int().meta({ description: 'deals of this business that are live now' }),
    ...opening.shape,
  })
  .meta({ id: 'BusinessInList' })

const letters = [...'abcdefghijklmnopqrstuvwxyz'] as [string, ...string[]]

/** A business in the list A–Z. */
export const businessByName = z
  .object({ ...businessInList.shape, ...publicBusiness.pick({ latitude: true, longitude: true }).shape })
  .meta({ id: 'BusinessByName' })
export type BusinessByName = z.infer<typeof businessByName>

export const getBusiness = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}',
  summary: 'The public page of a business',
  tag: 'businesses',
  params: z.object({ business_id: pathId }),
  access: 'noticed',
  shared: true,
  answer: businessForOwner,
  version: 'updated_at',
  refusals: [businessNotFound],
})

export const listBusinesses = endpoint({
  method: 'GET',
  path: '/api/business',
  summary: 'Merchants A–Z',
  tag: 'businesses',
  query: z.object({
    q: queryText(100),
    from: queryChoice(letters).meta({ description: 'begins at this letter and goes on to Z' }),
    before: queryText(500).meta({ description: 'the cursor of `Link: rel=prev`; wins over `after`' }),
    ...pageQuery,
  }),
  costly: ({ q }) => q !== undefined,
  access: 'public',
  shared: true,
  answer: answerList(businessByName, 100),
  paged: true,
  refusals: [invalidInput],
})

export const listLetters = endpoint({
  method: 'GET',
  path: '/api/business/letters',
  summary: 'The letters with which names of merchants begin, for an A–Z',
  tag: 'businesses',
  access: 'public',
  shared: true,
  answer: z
    .object({
      letters: answerList(z.enum(letters), letters.length),
      before_a: z.boolean().meta({ description: 'digits and the like: what stands before A' }),
    })
    .meta({ id: 'BusinessLetters' }),
  refusals: [],
})

export const viewBusiness = endpoint({
  method: 'PUT',
  path: '/api/business/{business_id}/view',
  summary: 'Counts a view of the public page; 204 whether it counted or not',
  tag: 'businesses',
  seenLater: true,
  params: z.object({ business_id: pathId }),
  access: 'noticed',
  answer: null,
  status: 204,
  refusals: [businessNotFound],
})

/** `view=map` answers single businesses up to this number, clusters beyond. */
export const businessMapLimit = 2000

/** An item without a position cannot be drawn: the reader leaves it out. */
const neededDegrees = (most: 90 | 180) => answerDegrees(most).meta({ unread: undefined })

export const nearbyBusiness = z
  .object({
    ...businessInList.shape,
    latitude: neededDegrees(90),
    longitude: neededDegrees(180),
    distance_km: orUnread(z.number().meta({ description: 'straight line' })),
  })
  .meta({ id: 'NearbyBusiness' })
export type NearbyBusiness = z.infer<typeof nearbyBusiness>

const businessOnMap = z
  .object({
    ...publicBusiness.pick({ business_id: true, business_name: true, category: true }).shape,
    latitude: neededDegrees(90),
    longitude: neededDegrees(180),
  })
  .meta({ id: 'BusinessOnMap' })
export type BusinessOnMap = z.infer<typeof businessOnMap>

const businessCluster = z
  .object({
    cluster: z.number().int().meta({ unread: undefined }),
    latitude: neededDegrees(90),
    longitude: neededDegrees(180),
  })
  .meta({ id: 'BusinessCluster' })
/** Merchants drawn as one pin, because there are too many for single ones. */
export type BusinessCluster = z.infer<typeof businessCluster>

/** The query of a search, for the list and the map. */
const searchQuery = {
  q: queryText(100),
  category: queryText(60),
  openNow: queryBoolean(),
  radius: queryNumber(0.1, 50).meta({ description: 'km' }),
  lat: queryNumber(-90, 90),
  lon: queryNumber(-180, 180),
  bbox: queryBox(),
}

export const searchBusinesses = endpoint({
  method: 'GET',
  path: '/api/business/search',
  summary: 'Merchants with a location near a place, the nearest first, also those without deals',
  tag: 'businesses',
  query: z.object({ ...searchQuery, view: queryChoice(['list', 'map']), ...pageQuery }),
  costly: ({ q, openNow }) => q !== undefined || openNow,
  access: 'public',
  shared: true,
  answer: answerList(nearbyBusiness, 100),
  paged: true,
  refusals: [invalidInput],
})

export const mapBusinesses = endpoint({
  method: 'GET',
  path: '/api/business/search?view=map',
  summary: 'Merchants with a location near a place, as a map draws them',
  tag: 'businesses',
  query: z.object(searchQuery),
  costly: () => true,
  access: 'public',
  shared: true,
  answer: answerList(z.union([businessOnMap, businessCluster]), businessMapLimit),
  paged: true,
  refusals: [invalidInput],
})

export const signUpBusiness = endpoint({
  method: 'POST',
  path: '/api/business/signup',
  summary: 'A new business account; answers alike when the address is taken, whose owner then gets a mail',
  tag: 'businesses',
  body: z.object({
    business_name: properName({ max: 80 }),
    ...signupFields,
    address: absentWhenEmpty(text({ max: 200 }).optional()),
    subscription_tier: absentWhenEmpty(z.enum(signupTiers).default('FREE')).meta({
      description: 'a wish; the tier itself comes with a confirmed payment',
    }),
  }),
  files: { logo: { maxBytes: logoMaxBytes } },
  access: 'public',
  answer: z.object({ message: answerText(500) }).meta({ id: 'BusinessSignedUp' }),
  status: 201,
  statusOnly: true,
  refusals: [invalidInput, challengeRequired, logoNoImage, logoTooManyPixels, tooLarge, unsupportedMediaType, tooMany],
})

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}/subscription',
  summary: 'The tier of a business; of my own also the one wished for at signup, and what the dashboard says of it',
  tag: 'businesses',
  params: z.object({ business_id: pathId }),
  access: merchantsAlone,
  answer: z
    .object({
      subscription_tier: z.enum(tiers).meta({ unread: 'FREE' }),
      requested_tier: z.enum(signupTiers).nullable().optional(),
      business_name: answerText(80).optional().meta({ unread: '' }),
      logo_url: answerText(2000).nullable().optional(),
      logo_image: answerText(200).nullable().optional(),
      description: answerText(2000).nullable().optional(),
      category: answerText(60).optional().meta({ unread: 'other' }),
      email_verified: z.boolean().optional().meta({ unread: true, description: 'the login address is confirmed' }),
      must_verify: z.boolean().optional().meta({ unread: false, description: 'nothing can be published before' }),
      has_address: z.boolean().optional().meta({ unread: true }),
      has_hours: z.boolean().optional().meta({ unread: true }),
      has_location: z.boolean().optional().meta({ unread: true }),
      suspended_at: answerInstant.nullable().optional().meta({ description: 'since when nothing of it is public' }),
      suspended_reason: answerText(500).nullable().optional(),
    })
    .meta({ id: 'TierOfBusiness' }),
  refusals: [businessNotFound],
})

/** What a business redeemed since 06:00, in the small hours since 06:00 of the day before; without undone redemptions. */
export const statsTonight = z
  .object({
    redeemed: z.number().int(),
    amount_chf: z.number(),
    by_hour: answerList(z.number().int(), 25).meta({
      description: 'redemptions of each hour since 06:00, this hour last',
    }),
    before: z
      .object({ redeemed: z.number().int(), amount_chf: z.number() })
      .meta({ description: 'a week ago, until the same time of day' }),
  })
  .meta({ id: 'StatsTonight' })
export type StatsTonight = z.infer<typeof statsTonight>

export const getStats = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}/stats',
  summary: 'The three figures of my business since it began, and tonight',
  tag: 'businesses',
  params: z.object({ business_id: pathId }),
  access: merchantsAlone,
  answer: z
    .object({
      profileViews: z.number().int(),
      dealClicks: z.number().int(),
      sales: z.number().meta({ description: 'CHF, redemptions not undone' }),
      since: answerInstant.nullable().meta({ description: 'when the business signed up' }),
      tonight: statsTonight.nullable(),
    })
    .meta({ id: 'BusinessStats' }),
  refusals: [businessNotFound],
})
