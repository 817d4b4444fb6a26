import { z } from 'zod'
import { answerId, answerInstant, answerList, answerName, orUnread } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import {
  absentWhenEmpty,
  isUuid,
  pageQuery,
  pathId,
  queryBoolean,
  queryBox,
  queryChoice,
  queryNumber,
  queryText,
  fieldIssue,
  text,
} from '../../kit/shared/input.ts'
import { invalidInput } from '../../kit/shared/refusal.ts'
import { festivalDay } from '../event.ts'
import { venue } from '../venue.ts'
import { daysShown, shownEvent, eventCategories, eventNotFound, listedEvent, wholeDayLimit } from './event.ts'

export * from './event.ts'

const queryDay = () =>
  absentWhenEmpty(
    z
      .string()
      .max(10)
      .refine((value) => isDay(value), fieldIssue('day'))
      .optional(),
  ).meta({ override: { type: 'string', format: 'date', maxLength: 10 } })

const queryInstant = () =>
  absentWhenEmpty(
    z
      .string()
      .max(40)
      .refine((value) => isInstant(value), fieldIssue('instant'))
      .optional(),
  ).meta({ override: { type: 'string', format: 'date-time', maxLength: 40 } })

const queryIds = () =>
  absentWhenEmpty(
    text({ max: 37 * 200 })
      .transform((value) => value.split(',').filter(isUuid).slice(0, 200))
      .optional(),
  ).meta({ description: 'up to 200 ids, comma between them', override: { type: 'string', maxLength: 7400 } })

function isDay(value: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(value)) return false
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}

const isInstant = (value: string) =>
  /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))

/** Filters of lists of events and of feeds. */
export const eventFilters = {
  day: queryDay(),
  category: queryChoice(eventCategories),
  stage: queryText(36).meta({ description: 'id of a stage' }),
  venue: queryText(36).meta({ description: 'id of a venue' }),
  q: queryText(200),
  free: queryBoolean(),
  family: queryBoolean(),
  from: queryInstant().meta({ description: 'not over before this moment' }),
  to: queryInstant().meta({ description: 'begins before this moment' }),
}

export const listEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  summary: `The programme in order of time; a day without a limit is answered whole, at most ${wholeDayLimit}`,
  tag: 'events',
  query: z.object({
    ...eventFilters,
    now: queryBoolean(),
    upcoming: queryBoolean().meta({ description: 'true: not over and not cancelled', override: { type: 'boolean' } }),
    not_begun: queryBoolean().meta({
      description: 'true: begins later and is not cancelled',
      override: { type: 'boolean' },
    }),
    ids: queryIds(),
    day_from: queryDay().meta({ description: 'not before this day of the festival' }),
    day_to: queryDay().meta({ description: 'not after this day of the festival' }),
    first_day: queryBoolean().meta({
      description:
        'true: of the days on which something is found one alone, the first one on which it is not over, else the last one',
    }),
    ...pageQuery,
  }),
  costly: ({ q }) => q !== undefined,
  access: 'public',
  shared: true,
  answer: answerList(listedEvent, wholeDayLimit),
  paged: true,
  refusals: [invalidInput],
})

export const getEvent = endpoint({
  method: 'GET',
  path: '/api/events/{event_id}',
  summary: 'One event',
  tag: 'events',
  params: z.object({ event_id: pathId }),
  access: 'public',
  shared: true,
  answer: shownEvent,
  refusals: [eventNotFound],
})

export const getEventNeighbours = endpoint({
  method: 'GET',
  path: '/api/events/{event_id}/neighbours',
  summary: 'What comes before and after it on its stage, what runs at the same time, and other sets of its performers',
  tag: 'events',
  params: z.object({ event_id: pathId }),
  access: 'public',
  shared: true,
  answer: z
    .object({
      previous: listedEvent.nullable(),
      next: listedEvent.nullable(),
      parallel: answerList(listedEvent, 12),
      sets: answerList(listedEvent, 12),
    })
    .meta({ id: 'EventNeighbours' }),
  refusals: [eventNotFound],
})

export const stage = z.object({ stage_id: answerId, stage: answerName(120), venue }).meta({ id: 'Stage' })
export type Stage = z.infer<typeof stage>

const programmeDay = z.object({
  day: festivalDay.meta({ unread: undefined }),
  events: z.number().int(),
  is_earlier: z.boolean().meta({ description: 'over, and no day of the festival' }),
  over_at: orUnread(answerInstant.nullable()).meta({
    description: 'when its last event is over; null: all are cancelled, all day, or go on for days',
  }),
})
export type ProgrammeDay = z.infer<typeof programmeDay>

export const getProgramme = endpoint({
  method: 'GET',
  path: '/api/events/programme',
  summary: 'The festival days, stages and categories that the programme has',
  tag: 'events',
  access: 'public',
  shared: true,
  answer: z
    .object({
      days: answerList(programmeDay, daysShown).meta({
        description: 'those of the festival and from today on, in order of time; then earlier ones, newest first',
      }),
      days_left_out: z
        .number()
        .int()
        .meta({ description: `how many days there are beyond ${daysShown}` }),
      stages: answerList(stage, wholeDayLimit),
      categories: answerList(z.enum(eventCategories), eventCategories.length),
      today: festivalDay.meta({ description: 'the festival day of the server’s clock' }),
      now: answerInstant,
    })
    .meta({ id: 'Programme' }),
  refusals: [],
})

export const listNowNext = endpoint({
  method: 'GET',
  path: '/api/events/now-next',
  summary: 'What each stage plays now and next, within the next twelve hours',
  tag: 'events',
  access: 'public',
  shared: true,
  answer: answerList(
    z.object({ stage, now: listedEvent.nullable(), next: listedEvent.nullable() }).meta({ id: 'StageNowNext' }),
    wholeDayLimit,
  ),
  refusals: [],
})

/** Most venues of an answer: running ones first, then those whose event begins soonest. */
export const venuesLimit = 200

export const venueNow = z
  .object({
    venue,
    now: listedEvent.nullable(),
    next: listedEvent.nullable(),
    distance_km: z.number(),
  })
  .meta({ id: 'VenueNow' })
export type VenueNow = z.infer<typeof venueNow>

export const listVenuesNow = endpoint({
  method: 'GET',
  path: '/api/events/venues',
  summary: 'Venues near a place with what is on now, or next within twelve hours',
  tag: 'events',
  query: z.object({
    q: queryText(200),
    category: queryText(60),
    openNow: queryBoolean().meta({ description: 'only where something is on now' }),
    radius: queryNumber(0.1, 50).meta({ description: 'km' }),
    lat: queryNumber(-90, 90),
    lon: queryNumber(-180, 180),
    bbox: queryBox(),
  }),
  costly: ({ q }) => q !== undefined,
  access: 'public',
  shared: true,
  answer: answerList(venueNow, venuesLimit),
  refusals: [invalidInput],
})

export const listChanges = endpoint({
  method: 'GET',
  path: '/api/events/changes',
  summary:
    'What has changed in the programme since a moment, in order of time; ask from a minute before the last answer',
  tag: 'events',
  query: z.object({
    since: queryInstant().meta({ description: 'from the beginning where it is missing' }),
    ...pageQuery,
  }),
  access: 'public',
  shared: true,
  answer: answerList(
    z
      .object({
        event_id: answerId,
        changed_at: answerInstant,
        event: listedEvent.nullable().meta({ description: 'null: it is not in the programme any more' }),
      })
      .meta({ id: 'ProgrammeChange' }),
    100,
  ),
  paged: true,
  refusals: [invalidInput],
})
