import { z } from 'zod'
import { answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, line, pageQuery, pathId, fieldIssue, text } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, unauthenticated } from '../../kit/shared/refusal.ts'
import { claimFields } from '../claim.ts'
import { undoMinutes } from '../limits.ts'
import { codeRefusals, keyUsed, redemptionNotFound, tooManyWrongCodes, undoTooLate } from './refusals.ts'

/** Hours after which an offline scan is refused. */
export const offlineHours = 12
/** Minutes between reading a code and sending the amount. */
export const ticketMinutes = 5
export const amountChf = { min: 0, max: 100_000 }

/**
 * Wrong codes within ten minutes, after which further ones are refused unread: typed digits for each business and device, QR codes
 * for each claim.
 */
export const wrongCodes = { perMinutes: 10, ofBusiness: 30, ofDevice: 10, ofClaim: 20 }

export const redemptionStates = ['redeemed', 'undone', 'conflict'] as const
export const conflictReasons = [
  'code_unknown',
  'already_used',
  'expired',
  'too_early',
  'wrong_business',
  'limit_reached',
  'device_unknown',
] as const

export const merchantsAlone = { roles: ['business'], verified: true } as const

export const redemption = z
  .object({
    redemption_id: answerId,
    deal_id: answerId.nullable(),
    deal_name: answerText(80).nullable(),
    state: z.enum(redemptionStates).meta({ unread: 'redeemed' }),
    reason: z
      .enum(conflictReasons)
      .nullable()
      .meta({ description: 'why a scan that was kept without network could not count' }),
    amount_chf: z.number(),
    redeemed_at: answerInstant.meta({ description: 'when the code was scanned' }),
    recorded_at: answerInstant,
    undo_until: answerInstant.nullable(),
    device_name: answerText(40).nullable(),
  })
  .meta({ id: 'Redemption' })
export type Redemption = z.infer<typeof redemption>

/** The deal of a code, for the form of the amount. */
export const checkedCode = z
  .object({
    deal_id: answerId.meta({ unread: '' }),
    deal_name: answerName(80),
    price: claimFields.price.answer,
    discount: claimFields.discount.answer,
    price_chf: claimFields.price_chf.answer,
    ticket: answerText(200).meta({
      unread: undefined,
      description: `redeems this code within ${ticketMinutes} minutes`,
    }),
  })
  .meta({ id: 'CheckedCode' })
export type CheckedCode = z.infer<typeof checkedCode>

const absentInstant = absentWhenEmpty(z.iso.datetime({ offset: true }).meta({ maxLength: 35 }).optional())

/** A code, typed or scanned, and the device. */
const code = {
  code: absentWhenEmpty(text({ max: 20 }).optional()).meta({ description: 'six digits, typed' }),
  payload: absentWhenEmpty(text({ max: 100 }).optional()).meta({ description: 'the content of the QR code' }),
  device_id: absentWhenEmpty(text({ max: 36 }).optional()),
}

/** CHF with at most two decimals. */
const amount = z
  .number()
  .refine((chf) => chf >= amountChf.min && chf <= amountChf.max, { params: { key: 'range', values: amountChf } })
  .refine((chf) => Math.abs(Math.round(chf * 100) - chf * 100) < 1e-6, { params: { key: 'rappen', values: {} } })
  .meta({ override: { type: 'number', minimum: amountChf.min, maximum: amountChf.max } })

const redeeming = {
  ...code,
  ticket: absentWhenEmpty(text({ max: 200 }).optional()).meta({ description: 'of a code that was checked' }),
  amount_chf: amount,
  scanned_at: absentInstant.meta({
    description: `when a registered device read the code without network, by its own clock; at most ${offlineHours} hours ago`,
  }),
  clock_offset_ms: absentWhenEmpty(z.number().int().min(-1e12).max(1e12).optional()).meta({
    description: 'what is to be added to the clock of the device for the time of the server',
  }),
  idempotency_key: absentWhenEmpty(line({ min: 16, max: 100 }).optional()).meta({
    description:
      'drawn at random for each redemption: sent again it counts once and gets the same answer; with another code or amount it is refused',
  }),
}

type OneCode = { code?: string | undefined; payload?: string | undefined; ticket?: string | undefined }
const hasOne = (of: OneCode, ctx: z.RefinementCtx) => {
  const given = [of.code, of.payload, of.ticket].filter((each) => each !== undefined)
  if (given.length !== 1) ctx.addIssue({ ...fieldIssue(given.length === 0 ? 'required' : 'one_code'), path: ['code'] })
}

/** Replaces the login on a redeem-only device. */
const tillToken = { till_token: text({ min: 1, max: 300 }) }

const checkParts = { tag: 'redemptions', answer: checkedCode } as const
export const checkCode = endpoint({
  method: 'POST',
  path: '/api/redemptions/check',
  summary: 'What a code stands for, before it is redeemed',
  body: z.object(code).superRefine(hasOne),
  access: merchantsAlone,
  refusals: [invalidInput, ...codeRefusals, tooManyWrongCodes, tooMany],
  ...checkParts,
})
export const checkCodeAtTill = endpoint({
  method: 'POST',
  path: '/api/till/check',
  summary: 'The same on a redeem-only device',
  body: z.object({ ...code, ...tillToken }).superRefine(hasOne),
  access: 'public',
  refusals: [invalidInput, unauthenticated, ...codeRefusals, tooManyWrongCodes, tooMany],
  ...checkParts,
})

const redeemParts = { tag: 'redemptions', answer: redemption, status: 201 } as const
export const redeemCode = endpoint({
  method: 'POST',
  path: '/api/redemptions',
  summary: 'Redeems a code, once',
  body: z.object(redeeming).superRefine(hasOne),
  access: merchantsAlone,
  refusals: [invalidInput, ...codeRefusals, keyUsed, tooManyWrongCodes, tooMany],
  ...redeemParts,
})
export const redeemCodeAtTill = endpoint({
  method: 'POST',
  path: '/api/till/redemptions',
  summary: 'The same on a redeem-only device',
  body: z.object({ ...redeeming, ...tillToken }).superRefine(hasOne),
  access: 'public',
  refusals: [invalidInput, unauthenticated, ...codeRefusals, keyUsed, tooManyWrongCodes, tooMany],
  ...redeemParts,
})

const undoParts = {
  tag: 'redemptions',
  params: z.object({ redemption_id: pathId }),
  answer: redemption,
} as const
export const undoRedemption = endpoint({
  method: 'POST',
  path: '/api/redemptions/{redemption_id}/undo',
  summary: `Takes a redemption back within ${undoMinutes} minutes; the code is good again`,
  access: merchantsAlone,
  refusals: [redemptionNotFound, undoTooLate],
  ...undoParts,
})
export const undoRedemptionAtTill = endpoint({
  method: 'POST',
  path: '/api/till/redemptions/{redemption_id}/undo',
  summary: 'The same on a redeem-only device, for what it has redeemed itself',
  body: z.object(tillToken),
  access: 'public',
  refusals: [invalidInput, unauthenticated, redemptionNotFound, undoTooLate],
  ...undoParts,
})

export const listRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemptions',
  summary: 'The redemptions of my business, newest first',
  tag: 'redemptions',
  query: z.object(pageQuery),
  access: merchantsAlone,
  answer: answerList(redemption, 100),
  paged: true,
  refusals: [invalidInput],
})

export const redeemedTonight = endpoint({
  method: 'GET',
  path: '/api/redemptions/tonight',
  summary: 'What my business has redeemed since 06:00; in the small hours since 06:00 of the day before',
  tag: 'redemptions',
  access: merchantsAlone,
  answer: z
    .object({ redeemed: z.number().int(), amount_chf: z.number() })
    .meta({ id: 'RedeemedTonight', description: 'without undone redemptions' }),
  refusals: [],
})
