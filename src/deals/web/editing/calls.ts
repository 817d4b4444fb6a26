import { apiCall } from '../../../kit/browser/asking.ts'
import { flagOr, isObject, list, number, numberOr, or, record, text } from '../../../kit/browser/reading.ts'
import type * as contract from '../../contract.ts'
import type * as editing from '../../contract/editing.ts'
import { deal } from '../calls.ts'

/** What merchants alone ask, in a file of its own: visitors' pages need not load it. */

const figures = or(
  record<contract.DealFigures>({
    views: numberOr(0),
    trend: or(
      list((value: unknown) => number(value) ?? undefined),
      [],
    ),
    claims: number,
    redemptions: numberOr(0),
  }),
  null,
)

/** A merchant's own deal; without figures where the answer has none. */
export type OwnDeal = contract.Deal & {
  figures: contract.DealFigures | null
  uses_place: boolean
  paused_by_plan: boolean
  hidden_with_merchant: boolean
  hidden_reason: string | null
}
const ownDeal = record<OwnDeal>({
  ...deal,
  figures,
  uses_place: flagOr(false),
  paused_by_plan: flagOr(false),
  hidden_with_merchant: flagOr(false),
  hidden_reason: text,
})

/** The deals of one's own business, with their figures. */
export const listOwnDeals = apiCall<typeof contract.listDealsOfBusiness, OwnDeal[]>(
  'GET /api/deals/business/{business_id}',
  list(ownDeal),
)

/** What a save says of itself; any answer without an error is a success. */
export interface Saved {
  notice: string | null
  notice_code: string | null
  status: string | null
}
const saved = (value: unknown): Saved =>
  isObject(value)
    ? {
        notice: text(value['notice']) ?? null,
        notice_code: text(value['notice_code']) ?? null,
        status: text(value['status']) ?? null,
      }
    : { notice: null, notice_code: null, status: null }

export const createDeal = apiCall<typeof editing.createDeal, Saved>('POST /api/deals', saved)
export const updateDeal = apiCall<typeof editing.updateDeal, Saved>('PUT /api/deals/{deal_id}', saved)
export const pauseDeal = apiCall<typeof editing.pauseDeal, Saved>('POST /api/deals/{deal_id}/pause', saved)
export const resumeDeal = apiCall<typeof editing.resumeDeal, Saved>('POST /api/deals/{deal_id}/resume', saved)
export const restoreDeal = apiCall<typeof editing.restoreDeal, Saved>('POST /api/deals/{deal_id}/restore', saved)
export const archiveDeal = apiCall<typeof editing.archiveDeal, Saved>('DELETE /api/deals/{deal_id}', saved)
export const duplicateDeal = apiCall<typeof editing.duplicateDeal, contract.Deal>(
  'POST /api/deals/{deal_id}/duplicate',
  record<contract.Deal>(deal),
)
export const copyDeals = apiCall<typeof editing.copyDeals, Saved>('POST /api/deals/duplicate', saved)
