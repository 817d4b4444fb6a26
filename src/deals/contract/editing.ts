import { z } from 'zod'
import { merchantsAlone } from '../../accounts/contract.ts'
import { answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { bodyFlag, bodyNumber, pathId } from '../../kit/shared/input.ts'
import { forbidden, invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { businessLeaving, businessSuspended } from '../../businesses/contract.ts'
import { deal, dealNotFound, ownDeal } from '../contract.ts'
import { emptyForm, inputOf } from '../../kit/shared/thing.ts'
import { dealFields } from '../deal.ts'
import { mostCopies } from '../limits.ts'

/** How merchants create, change and end deals. */

/** Deals of one merchant that are not archived, drafts included. */
export const mostDeals = 1000

/** Staff hid the deal after a report. */
export const dealHidden = { code: 'deal_hidden', status: 403 } as const satisfies RefusalKind

/** All places of the tier are taken. */
export const dealLimitReached = { code: 'deal_limit_reached', status: 409 } as const satisfies RefusalKind
export const tooManyDeals = { code: 'too_many_deals', status: 409 } as const satisfies RefusalKind
/** The deal has ended, so it cannot be published again. */
export const dealIsOver = { code: 'deal_is_over', status: 409 } as const satisfies RefusalKind
/** A draft or an archived deal cannot be paused. */
export const dealNotPublished = { code: 'deal_not_published', status: 409 } as const satisfies RefusalKind

const fields = inputOf(dealFields)

/** A new deal as the texts of its form. */
export const emptyDealForm = emptyForm(dealFields)

/** The fields that a merchant may send. A missing field stays; an empty text, an empty list or null empties it. */
export const dealChanges = z.object(fields)
export type DealChanges = z.output<typeof dealChanges>

/** Why a save did not do exactly what was sent. */
export const noticeCodes = [
  'draftByLimit',
  'pausedByLimit',
  'bySuspension',
  'whileLeaving',
  'untilConfirmed',
  'struckDropped',
  'alreadyOver',
] as const

/** The deal after a save, and a notice in words, for example why it is not published. */
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
  body: z.object({ ...fields, deal_name: dealFields.deal_name.input, draft: bodyFlag() }),
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

/** Undoes an archiving by mistake. A deal that was published comes back by `resume`, which checks the places of the tier. */
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
