import { z } from 'zod'
import { answerId, answerInstant, answerName, answerText } from '../kit/shared/answer.ts'
import type { Fields } from '../kit/shared/thing.ts'
import { claimStates } from './limits.ts'

/** Codes of a claim that are handed out at once: 24 hours of 30-second steps, and the one that runs. */
const codesAtOnce = 24 * 120 + 1

/** Every field of a claim. Visitors send none of them. */
export const claimFields = {
  claim_id: { answer: answerId },
  deal_id: { answer: answerId },
  deal_name: { answer: answerName(80).meta({ description: 'as it was when it was claimed; prices too' }) },
  business_id: { answer: answerId.meta({ unread: '' }) },
  business_name: { answer: answerText(80) },
  price: { answer: answerText(60).nullable() },
  discount: { answer: answerText(60).nullable() },
  price_chf: { answer: z.number().nullable(), column: 'price_rappen' },
  state: { answer: z.enum(claimStates).meta({ unread: 'expired' }), column: null },
  claimed_at: { answer: answerInstant },
  usable_from: { answer: answerInstant },
  expires_at: { answer: answerInstant },
  redeemed_at: { answer: answerInstant.nullable() },
  server_now: {
    answer: answerInstant.meta({ description: 'by which a phone knows how far off its clock is' }),
    column: null,
  },
  code: {
    answer: answerText(6).nullable().meta({ description: 'of the present step of 30 s; null unless open' }),
    column: null,
  },
  qr_payload: { answer: answerText(60).nullable().meta({ description: 'RK1:<claim>:<code>' }), column: null },
  step_expires_at: { answer: answerInstant.nullable(), column: null },
  first_step: {
    answer: z.number().int().nullable().meta({ description: 'steps of 30 s since 1970' }),
    column: null,
  },
  codes: {
    answer: answerText(codesAtOnce * 6)
      .nullable()
      .meta({
        description: 'the codes of all steps from first_step to the end, six digits each: they work without network',
      }),
    column: null,
  },
} as const satisfies Fields
export type ClaimFields = typeof claimFields
