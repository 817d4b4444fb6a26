import { z } from 'zod'
import { answerId, answerInstant, answerList, answerName, answerText } from '../kit/shared/answer.ts'
import { bodyNumber, line, nameOf, fieldIssue, text, webAddress } from '../kit/shared/input.ts'
import type { Fields } from '../kit/shared/thing.ts'
import {
  eventCategories,
  eventStates,
  eventStatuses,
  farthestYears,
  mostLanguages,
  mostPerformers,
  openEndMinutes,
  savesShownFrom,
} from './limits.ts'
import { venue } from './venue.ts'

export const festivalDay = z.iso
  .date()
  .meta({ maxLength: 10, description: 'YYYY-MM-DD; the day of the festival, which ends at 06:00 of the next morning' })

export const performer = z
  .object({ performer_id: answerId, performer_name: answerText(120).meta({ unread: undefined }) })
  .meta({ id: 'Performer' })

/** An ISO time; without an offset it is a wall time of the festival. */
const instantForm = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/
const instantMeant = `with an offset; without one a wall time of the festival. At most ${farthestYears} years from now`
const instant = z
  .string()
  .max(40)
  .superRefine((value, ctx) => {
    const isInstant = instantForm.test(value) && !Number.isNaN(Date.parse(value))
    if (!isInstant) ctx.addIssue(fieldIssue(value.trim() === '' ? 'required' : 'instant'))
  })
const languageForm = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** The fields of an event that lists show. */
export const listedFields = {
  event_id: { answer: answerId },
  title: {
    answer: answerName(120),
    input: nameOf({ max: 120 }).refine((value) => [...value.trim()].length >= 3, fieldIssue('too_short', { min: 3 })),
    nullable: false,
    empty: '',
  },
  category: {
    answer: z.enum(eventCategories).meta({ unread: 'other' }),
    input: z.enum(eventCategories),
    nullable: false,
    empty: 'other',
  },
  status: {
    answer: z.enum(eventStatuses).meta({ unread: 'scheduled' }),
    input: z.enum(eventStates),
    nullable: false,
    empty: 'scheduled',
    column: 'state',
  },
  starts_at: {
    answer: answerInstant.meta({ unread: undefined }),
    input: instant.meta({ description: instantMeant }),
    nullable: false,
    empty: '1970-01-01T00:00:00.000Z',
  },
  ends_at: {
    answer: answerInstant.nullable().meta({ description: `null: open end; it counts ${openEndMinutes} minutes` }),
    input: instant.meta({ description: `${instantMeant}; null: open end` }),
  },
  all_day: {
    answer: z
      .boolean()
      .meta({ description: 'days without times: starts at 06:00, ends at 06:00 of the day after the last' }),
    input: z
      .boolean()
      .meta({ description: 'true: start and end become 06:00 of the first day and of the day after the last' }),
    nullable: false,
    empty: false,
  },
  festival_day: { answer: festivalDay.meta({ unread: undefined }) },
  last_day: {
    answer: festivalDay.meta({
      description:
        'where the event is all day or longer than 24 hours, the festival day on which it ends; else `festival_day`',
    }),
    column: null,
  },
  stage_id: {
    answer: answerId.nullable(),
    input: z.string().max(36).meta({ description: 'null: not known yet' }),
  },
  stage: { answer: answerText(120).nullable(), column: null },
  venue: { answer: venue.nullable().meta({ description: 'null: the place is not known yet' }), column: null },
  /** Answered with ids, sent as names. */
  performers: {
    answer: answerList(performer, mostPerformers),
    input: z
      .array(nameOf({ max: 120 }))
      .max(mostPerformers)
      .meta({ maxItems: mostPerformers }),
    nullable: false,
    column: null,
  },
  languages: {
    answer: answerList(answerText(20), mostLanguages),
    input: z
      .array(line({ min: 1, max: 20 }).refine((code) => languageForm.test(code), fieldIssue('language')))
      .max(mostLanguages)
      .meta({ maxItems: mostLanguages }),
    nullable: false,
    empty: [],
  },
  price_chf: {
    answer: z.number().nullable().meta({ description: '0: free; null: not said' }),
    input: bodyNumber(0, 100_000).meta({ description: '0: free; null: not said' }),
    column: 'price_rappen',
  },
  age_min: { answer: z.number().int().nullable(), input: bodyNumber(0, 99, 'integer') },
  family_friendly: { answer: z.boolean(), input: z.boolean(), nullable: false, empty: false },
  image_url: {
    answer: answerText(2000).nullable(),
    input: line({ max: 200 }).meta({
      description: 'what `POST /api/admin/events/pictures` answered; null: a drawn poster',
    }),
  },
  previous: {
    answer: z
      .object({ starts_at: answerInstant.nullable(), venue: answerText(250).nullable() })
      .nullable()
      .meta({ description: 'what held before the last move or delay; each part is null where it did not change' }),
    column: null,
  },
  saves: {
    answer: z
      .number()
      .int()
      .nullable()
      .meta({ description: `how many have it in their schedule; null below ${savesShownFrom}, except to staff` }),
    column: 'saves',
  },
  sequence: { answer: z.number().int().meta({ description: 'counts changes, as in iCalendar' }) },
  updated_at: { answer: answerInstant },
} as const satisfies Fields
export type ListedFields = typeof listedFields

/** Every field of an event. A field that staff do not send stays as it is. */
export const eventFields = {
  ...listedFields,
  description: { answer: answerText(5000).nullable().meta({ description: 'Markdown' }), input: text({ max: 5000 }) },
  ticket_url: { answer: answerText(2000).nullable(), input: webAddress(2000) },
} as const satisfies Fields
export type EventFields = typeof eventFields
