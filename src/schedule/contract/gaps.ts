import { z } from 'zod'
import { answerId, answerInstant, answerName, answerText } from '../../kit/shared/answer.ts'

/** Minutes that a stop at a deal takes at least. */
export const stopMinutes = 10

export const dealNearGap = z
  .object({
    deal_id: answerId,
    deal_name: answerName(120),
    business_name: answerText(80),
    category: answerText(40).meta({ unread: 'other' }),
    price_chf: z.number().nullable(),
    discount: answerText(120).nullable(),
    walk_there: z.number().int().meta({ description: 'minutes on foot from the event that ends' }),
    walk_on: z.number().int().meta({ description: 'minutes on foot to the event that begins' }),
    detour_minutes: z.number().int().meta({ description: 'minutes on foot more than on the straight way' }),
    leave_at: answerInstant.meta({ unread: undefined, description: 'the last moment to go on' }),
  })
  .meta({ id: 'DealInGap' })
export type DealInGap = z.infer<typeof dealNearGap>
