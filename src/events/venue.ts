import { z } from 'zod'
import { answerDegrees, answerId, answerName, answerText } from '../kit/shared/answer.ts'
import { bodyNumber, line, nameOf } from '../kit/shared/input.ts'
import { answerOf, type Fields } from '../kit/shared/thing.ts'

const fact = z.boolean().meta({ description: 'null: not known' })

/** Every field of a venue. A field that staff do not send stays as it is. */
export const venueFields = {
  venue_id: { answer: answerId },
  venue_name: { answer: answerName(120), input: nameOf({ max: 120 }), nullable: false, empty: '' },
  address: { answer: answerText(200).nullable(), input: line({ max: 200 }) },
  latitude: { answer: answerDegrees(90).nullable(), input: bodyNumber(-90, 90) },
  longitude: { answer: answerDegrees(180).nullable(), input: bodyNumber(-180, 180) },
  capacity: { answer: z.number().int().nullable(), input: bodyNumber(1, 1_000_000, 'integer') },
  step_free: { answer: z.boolean().nullable().meta({ description: 'null: not known' }), input: fact },
  quiet_area: { answer: z.boolean().nullable().meta({ description: 'null: not known' }), input: fact },
} as const satisfies Fields
export type VenueFields = typeof venueFields

export const venue = z.object(answerOf(venueFields)).meta({ id: 'Venue' })
