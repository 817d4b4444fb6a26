import { z } from 'zod'
import { categories } from '../../brand/categories.ts'
import { merchantsAlone } from '../../accounts/contract.ts'
import { answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { bodyFlag, bodyNumber, emptied, isDay, line, nameOf, pathId, said, text } from '../../kit/shared/input.ts'
import { forbidden, invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { businessLeaving, businessSuspended } from '../../businesses/contract.ts'
import { deal, dealNotFound, ownDeal } from '../contract.ts'
import { mostCopies } from '../limits.ts'

/** How a merchant makes, changes and ends deals. */

/** CHF; no deal of a festival costs more. */
export const mostChf = 100_000
export const mostItems = 1_000_000
export const tagLimits = { most: 10, letters: 40 }
/** Deals of one merchant that are not archived: drafts are free, but not without end. */
export const mostDeals = 1000

/** Staff hid it after a report. */
export const dealHidden = { code: 'deal_hidden', status: 403 } as const satisfies RefusalKind

/** It would be one more than the tier allows. */
export const dealLimitReached = { code: 'deal_limit_reached', status: 409 } as const satisfies RefusalKind
export const tooManyDeals = { code: 'too_many_deals', status: 409 } as const satisfies RefusalKind
/** It has ended, so it cannot go on. */
export const dealIsOver = { code: 'deal_is_over', status: 409 } as const satisfies RefusalKind
/** A draft, or archived: there is nothing to pause. */
export const dealNotPublished = { code: 'deal_not_published', status: 409 } as const satisfies RefusalKind

/** With an offset, or without one by the festival's clocks. */
const momentForm = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/
const moment = z
  .string()
  .superRefine((value, ctx) => {
    if (!momentForm.test(value)) return ctx.addIssue(said('moment'))
    const [year, month, day] = value.slice(0, 10).split('-').map(Number) as [number, number, number]
    const isInCalendar = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month <= 12
    if (!isInCalendar || Number.isNaN(Date.parse(value)) || year < 2020 || year > 2100) ctx.addIssue(said('moment'))
  })
  .meta({ maxLength: 40, pattern: momentForm.source, description: 'ISO 8601; without an offset in festival time' })
const clockForm = /^([01]\d|2[0-3]):[0-5]\d(:00)?$/
const clock = z
  .string()
  .refine((value) => clockForm.test(value), said('time_of_day'))
  .meta({ maxLength: 8, pattern: clockForm.source, description: 'HH:MM, festival time' })
const day = z.iso
  .date()
  .refine(isDay, { params: { key: 'day', values: {} } })
  .meta({ maxLength: 10 })
/** Free text; a number is taken as it would be typed. */
const words = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), line({ max: 60 }))

const fields = {
  deal_name: nameOf({ max: 80 }),
  description: emptied(text({ max: 2000 })),
  price: emptied(words),
  discount: emptied(words),
  category: emptied(z.enum(categories)),
  image_url: emptied(line({ max: 200 })).meta({ description: 'what `POST /api/uploads` answered' }),
  terms: emptied(text({ max: 1000 })),
  tags: emptied(z.array(line({ min: 1, max: tagLimits.letters })).max(tagLimits.most)),
  starts_at: emptied(moment),
  ends_at: emptied(moment),
  active_days: emptied(z.array(z.number().int().min(1).max(7)).max(7)).meta({ description: '1 = Monday' }),
  start_time: emptied(clock),
  end_time: emptied(clock).meta({ description: 'before start_time: after midnight, of the start day' }),
  price_chf: emptied(bodyNumber(0, mostChf)),
  regular_price_chf: emptied(bodyNumber(0, mostChf)).meta({
    description: 'shown struck out, where the price ordinance allows it',
  }),
  regular_price_since: emptied(day),
  total_limit: emptied(bodyNumber(1, mostItems, 'integer')).meta({ description: 'how often it can be redeemed' }),
  per_user_limit: emptied(bodyNumber(1, 1000, 'integer')),
  redemption_mode: emptied(z.enum(['none', 'code'])),
  latitude: emptied(bodyNumber(-90, 90)).meta({ description: 'absent: where the business is' }),
  longitude: emptied(bodyNumber(-180, 180)),
}

/** What a merchant may send of a deal: a missing field stays, an empty one or null empties. */
export const dealChanges = z.object({ ...fields, deal_name: fields.deal_name.optional() })
export type DealChanges = z.output<typeof dealChanges>

/** Why a save did otherwise than asked. */
export const noticeCodes = [
  'draftByLimit',
  'pausedByLimit',
  'bySuspension',
  'whileLeaving',
  'untilConfirmed',
  'struckDropped',
  'alreadyOver',
] as const

/** The deal as it is now, and in words why it is not published although it was meant to be. */
const saved = z
  .object({
    ...ownDeal.shape,
    notice: answerText(500).nullable(),
    notice_code: z.enum(noticeCodes).nullable(),
  })
  .meta({ id: 'SavedDeal' })
export type SavedDeal = z.infer<typeof saved>

const one = z.object({ deal_id: pathId })

export const createDeal = endpoint({
  method: 'POST',
  path: '/api/deals',
  summary:
    'A new deal; a draft when it is asked for, or while the merchant cannot publish one more. With the key of one that was just made it corrects that one',
  tag: 'deals',
  body: z.object({ ...fields, draft: bodyFlag() }),
  access: merchantsAlone,
  answer: saved,
  version: 'updated_at',
  idempotent: true,
  status: 201,
  refusals: [invalidInput, tooManyDeals],
})

export const updateDeal = endpoint({
  method: 'PUT',
  path: '/api/deals/{deal_id}',
  summary: 'Changes a deal',
  tag: 'deals',
  params: one,
  body: dealChanges,
  access: merchantsAlone,
  answer: saved,
  version: 'updated_at',
  refusals: [invalidInput, dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden],
})

export const archiveDeal = endpoint({
  method: 'DELETE',
  path: '/api/deals/{deal_id}',
  summary: 'Archives a deal: nobody sees it any more; `resume` brings it back',
  tag: 'deals',
  params: one,
  access: merchantsAlone,
  answer: null,
  status: 204,
  refusals: [dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden],
})

export const pauseDeal = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/pause',
  summary: 'Takes a deal off the lists until it is resumed',
  tag: 'deals',
  params: one,
  access: merchantsAlone,
  answer: deal,
  refusals: [dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden, dealNotPublished],
})

export const resumeDeal = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/resume',
  summary: 'Publishes a draft, a paused or an archived deal',
  tag: 'deals',
  params: one,
  access: { ...merchantsAlone, verified: true },
  answer: deal,
  refusals: [dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden, dealLimitReached, dealIsOver],
})

/** A deal that was archived by mistake is as it was; what was live comes back by `resume`, which looks for room. */
export const restoreDeal = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/restore',
  summary: 'Takes a deal out of the archive without publishing it',
  tag: 'deals',
  params: one,
  body: z.object({ as: z.enum(['draft', 'paused']) }),
  access: merchantsAlone,
  answer: deal,
  refusals: [invalidInput, dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden, tooManyDeals],
})

export const duplicateDeal = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/duplicate',
  summary: 'A copy of a deal, as a draft',
  tag: 'deals',
  params: one,
  access: merchantsAlone,
  answer: saved,
  idempotent: true,
  status: 201,
  refusals: [dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden, tooManyDeals],
})

export const copyDeals = endpoint({
  method: 'POST',
  path: '/api/deals/duplicate',
  summary: 'Copies of several deals, so many days later; those that the merchant cannot publish are drafts',
  tag: 'deals',
  body: z.object({
    deal_ids: z.array(z.string().max(36)).min(1).max(mostCopies),
    days: bodyNumber(1, 366, 'integer'),
  }),
  access: merchantsAlone,
  answer: z
    .object({ deals: answerList(ownDeal, mostCopies), notice: answerText(500).nullable() })
    .meta({ id: 'CopiedDeals' }),
  idempotent: true,
  status: 201,
  refusals: [invalidInput, dealNotFound, dealHidden, businessSuspended, businessLeaving, forbidden, tooManyDeals],
})
