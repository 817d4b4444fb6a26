import { z } from 'zod'
import { categories } from '../brand/categories.ts'
import { opening } from '../businesses/contract.ts'
import { answerDegrees, answerId, answerInstant, answerName, answerList, answerText } from '../kit/shared/answer.ts'
import { bodyNumber, isDay, line, nameOf, fieldIssue, text } from '../kit/shared/input.ts'
import type { Fields } from '../kit/shared/thing.ts'
import { dealLanguages, dealStatuses, mostChf, mostItems, tagLimits } from './limits.ts'

/** ISO 8601 with an offset, or without one in festival time. */
const momentForm = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/
const moment = z
  .string()
  .superRefine((value, ctx) => {
    if (!momentForm.test(value)) return ctx.addIssue(fieldIssue('moment'))
    const [year, month, day] = value.slice(0, 10).split('-').map(Number) as [number, number, number]
    const isInCalendar = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month <= 12
    if (!isInCalendar || Number.isNaN(Date.parse(value)) || year < 2020 || year > 2100)
      ctx.addIssue(fieldIssue('moment'))
  })
  .meta({ maxLength: 40, pattern: momentForm.source, description: 'ISO 8601; without an offset in festival time' })
const clockForm = /^([01]\d|2[0-3]):[0-5]\d(:00)?$/
const clock = z
  .string()
  .refine((value) => clockForm.test(value), fieldIssue('time_of_day'))
  .meta({ maxLength: 8, pattern: clockForm.source, description: 'HH:MM, festival time' })
const timeForm = /^\d\d:\d\d/
const day = z.iso
  .date()
  .refine(isDay, { params: { key: 'day', values: {} } })
  .meta({ maxLength: 10 })
/** Free text; a number becomes the text of it. */
const words = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), line({ max: 60 }))
const chf = bodyNumber(0, mostChf)

/** The fields that the specification names. */
const specified = {
  deal_id: { answer: answerId },
  deal_name: { answer: answerName(80), input: nameOf({ max: 80 }), nullable: false, empty: '' },
  description: { answer: answerText(2000).nullable(), input: text({ max: 2000 }) },
  price: { answer: answerText(60).nullable().meta({ description: 'free text' }), input: words },
  discount: { answer: answerText(60).nullable().meta({ description: 'free text' }), input: words },
  latitude: {
    answer: answerDegrees(90).nullable(),
    input: bodyNumber(-90, 90).meta({ description: 'absent: where the business is' }),
  },
  longitude: { answer: answerDegrees(180).nullable(), input: bodyNumber(-180, 180) },
  is_premium: {
    answer: z.boolean().meta({ description: 'the business is PREMIUM or ULTIMATE, or featured now' }),
    column: null,
  },
} as const satisfies Fields

/** Fields in every answer about deals, lists and searches too. */
const listed = {
  ...specified,
  business_id: { answer: answerId.meta({ unread: '' }) },
  business_name: { answer: answerText(80) },
  category: { answer: z.enum(categories).meta({ unread: 'other' }), input: z.enum(categories), empty: 'other' },
  lang: { answer: z.enum(dealLanguages).nullable().meta({ description: 'of its words, as far as they tell it' }) },
  status: { answer: z.enum(dealStatuses).meta({ unread: 'active' }), column: null },
  terms: { answer: answerText(1000).nullable(), input: text({ max: 1000 }) },
  tags: {
    answer: answerList(answerText(60), 40),
    input: z.array(line({ min: 1, max: tagLimits.letters })).max(tagLimits.most),
    empty: [],
  },
  starts_at: { answer: answerInstant.nullable(), input: moment },
  ends_at: { answer: answerInstant.nullable(), input: moment },
  active_days: {
    answer: answerList(z.number().int().min(1).max(7), 7)
      .nullable()
      .meta({ description: '1 = Monday; null: every day' }),
    input: z.array(z.number().int().min(1).max(7)).max(7).meta({ description: '1 = Monday' }),
    column: 'active_days',
  },
  start_time: {
    answer: answerText(5).meta({ form: timeForm }).nullable().meta({ description: 'HH:MM, festival time' }),
    input: clock,
    column: 'start_time',
  },
  end_time: {
    answer: answerText(5)
      .meta({ form: timeForm })
      .nullable()
      .meta({ description: 'HH:MM; before start_time: after midnight, of the start day' }),
    input: clock.meta({ description: 'before start_time: after midnight, of the start day' }),
    column: 'end_time',
  },
  price_chf: { answer: z.number().nullable(), input: chf, column: 'price_rappen' },
  regular_price_chf: {
    answer: z.number().nullable(),
    input: chf.meta({ description: 'shown struck out, where the price ordinance allows it' }),
    column: 'regular_price_rappen',
  },
  regular_price_since: { answer: z.iso.date().meta({ maxLength: 10 }).nullable(), input: day },
  total_limit: {
    answer: z.number().int().nullable(),
    input: bodyNumber(1, mostItems, 'integer').meta({ description: 'how often it can be redeemed' }),
  },
  per_user_limit: { answer: z.number().int().meta({ unread: 1 }), input: bodyNumber(1, 1000, 'integer'), empty: 1 },
  redemption_mode: {
    answer: z.enum(['none', 'code']).meta({ unread: 'none' }),
    input: z.enum(['none', 'code']),
    empty: 'none',
  },
  image_url: {
    answer: answerText(2000).nullable(),
    input: line({ max: 200 }).meta({ description: 'what `POST /api/uploads` answered' }),
  },
  rating_mean: {
    answer: z.number().nullable().meta({ description: 'mean of the stars; null: not rated yet' }),
    column: null,
  },
  rating_count: { answer: z.number().int() },
  updated_at: { answer: answerInstant },
  open_now: { answer: opening.shape.open_now, column: null },
  open_until: { answer: opening.shape.open_until, column: null },
  opens_at: { answer: opening.shape.opens_at, column: null },
  usable_now: {
    answer: z.boolean().nullable().meta({
      description:
        'the place is open and the days and hours of the deal hold; null: they hold, and nobody knows whether the place is open',
    }),
    column: null,
  },
  usable_from: {
    answer: answerInstant.nullable().meta({
      description: 'when it can next be used, if not now; by its days and hours alone where `open_now` is null',
    }),
    column: null,
  },
  usable_until: {
    answer: answerInstant.nullable().meta({ description: 'the end of the present or next time of use' }),
    column: null,
  },
  over_at: {
    answer: answerInstant
      .nullable()
      .meta({ description: 'the last moment at which it can be used; null: no end is known' }),
    column: null,
  },
  over_because: {
    answer: z.enum(['ended', 'hours']).nullable().meta({
      description: 'why it has expired: "hours", its own and the opening hours do not meet again before it ends',
    }),
    column: null,
  },
} as const satisfies Fields

/** All fields of a deal. A new field goes here; into `listed` only if lists show it. A field that a merchant does not send stays as it is. */
export const dealFields = {
  ...listed,
} as const satisfies Fields
export type DealFields = typeof dealFields

export const listedFields = listed
/** Fields of a deal on a map. */
export const specifiedFields = specified
