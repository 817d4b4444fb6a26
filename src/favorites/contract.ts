import { z } from 'zod'
import { dealTimes, dealValue } from '../deals/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText, ownPathForm } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { pageQuery, pathId, queryChoice, queryNumber, queryText, fieldIssue } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'
import { maxSecondsAgo, removalRetentionDays } from '../kit/shared/seconds-ago.ts'
import { favoritesMost, kinds, previewMost } from './limits.ts'

export * from './limits.ts'

export const favoriteUnknown = { code: 'favorite_not_found', status: 404 } as const satisfies RefusalKind
export const favoritesFull = { code: 'favorites_full', status: 409 } as const satisfies RefusalKind
/** A late addition is refused: the favourite was removed, on another device, after the addition was tapped. */
export const favoriteRemovedLater = { code: 'favorite_removed_later', status: 409 } as const satisfies RefusalKind

/** Visitors and staff; merchants save nothing. */
const savers = { roles: ['user', 'moderator', 'admin'], beforeSecondFactor: true } as const

export const favorite = z
  .object({
    kind: z.enum(kinds).meta({ unread: undefined }),
    id: answerId,
    saved_at: answerInstant.nullable().describe('null where nobody is logged in'),
    name: answerName(200),
    by: answerText(200).nullable().describe('the merchant of a deal, the stage of a performer'),
    category: answerText(60).meta({ unread: 'other' }),
    image_url: answerText(2000).meta({ form: ownPathForm }).nullable(),
    event_id: answerId.nullable().describe('of a performer: the next or last event'),
    state: z
      .enum(['live', 'starts', 'ended'])
      .meta({ unread: 'live' })
      .describe('of a deal: live, it can be used now or its hours are unknown; starts, it can be used later'),
    starts_at: answerInstant.nullable().describe('of a deal that cannot be used now: when it can be next'),
    ends_at: answerInstant.nullable(),
    live_deals: z
      .int()
      .nullable()
      .describe('of a merchant: deals that are live, not all of them usable at this moment'),
    times: dealTimes.nullable().describe('of a deal that is not over, where its times are known'),
    value: dealValue.nullable().describe('of a deal'),
  })
  .meta({ id: 'Favorite' })
export type Favorite = z.infer<typeof favorite>

const key = answerText(50).describe('kind:id')
const keys = z.object({ keys: answerList(key, favoritesMost) }).meta({ id: 'FavoriteKeys' })

export const listFavorites = endpoint({
  method: 'GET',
  path: '/api/favorites',
  summary: 'What one has saved, newest first',
  tag: 'favorites',
  query: z.object({ kind: queryChoice(kinds), ...pageQuery }),
  access: savers,
  answer: answerList(favorite, 100),
  paged: true,
  refusals: [invalidInput],
})

export const listFavoriteKeys = endpoint({
  method: 'GET',
  path: '/api/favorites/keys',
  summary: 'What one has saved, as keys alone',
  tag: 'favorites',
  access: savers,
  answer: keys,
  refusals: [],
})

export const previewFavorites = endpoint({
  method: 'GET',
  path: '/api/favorites/preview',
  summary: 'What a guest’s phone has saved, as it is now; what is gone is left out',
  tag: 'favorites',
  query: z.object({ keys: queryText(previewMost * 60).describe('kind:id, separated by commas') }),
  access: 'public',
  answer: answerList(favorite, previewMost),
  refusals: [invalidInput],
})

const address = z.object({ kind: z.string().meta({ maxLength: 20 }), id: pathId })

export const saveFavorite = endpoint({
  method: 'PUT',
  path: '/api/favorites/{kind}/{id}',
  summary: 'Saves a deal, a merchant or a performer; saved twice is saved once',
  tag: 'favorites',
  params: address,
  query: z.object({
    seconds_ago: queryNumber(0, maxSecondsAgo).describe(
      `Seconds since it was saved, where that is sent late; what was removed since, within ${removalRetentionDays} days, stays removed`,
    ),
  }),
  access: savers,
  answer: null,
  status: 204,
  refusals: [invalidInput, favoriteUnknown, favoritesFull, favoriteRemovedLater],
})

export const removeFavorite = endpoint({
  method: 'DELETE',
  path: '/api/favorites/{kind}/{id}',
  summary: 'Saves it no longer; what was saved again since a removal without a network stays',
  tag: 'favorites',
  params: address,
  query: z.object({
    seconds_ago: queryNumber(0, maxSecondsAgo).describe('Seconds since it was removed, where the removal is sent late'),
  }),
  access: savers,
  answer: null,
  status: 204,
  refusals: [invalidInput, favoriteUnknown],
})

export const mergeFavorites = endpoint({
  method: 'POST',
  path: '/api/favorites/merge',
  summary: 'Brings along what a guest’s phone has saved; what is gone or beyond the limit is left out',
  tag: 'favorites',
  body: z.object({
    keys: z
      .array(
        z
          .string()
          .superRefine((value, ctx) => {
            if (value.length > 60) ctx.addIssue(fieldIssue('too_long', { max: 60 }))
          })
          .meta({ override: { maxLength: 60 } }),
      )
      .max(favoritesMost),
  }),
  access: savers,
  answer: keys,
  status: 200,
  refusals: [invalidInput],
})
