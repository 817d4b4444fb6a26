import { z } from 'zod'
import { answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { emptied, line, nameOf, pageQuery, pathId, queryChoice, queryText, fieldIssue } from '../../kit/shared/input.ts'
import { invalidInput, tooLarge, type RefusalKind } from '../../kit/shared/refusal.ts'
import { emptyForm, inputOf } from '../../kit/shared/thing.ts'
import { confirming, importBusy, importReport, keyUsed, staffAlone, unconfirmed } from '../../staff/contract.ts'
import { eventFields } from '../event.ts'
import { dayOrders, tableFields } from '../limits.ts'
import { venue, venueFields } from '../venue.ts'
import { event, eventNotFound, wholeDayLimit } from './event.ts'
import { eventFilters, stage } from './programme.ts'

/** A file larger than this needs the command. */
export const importMaxBytes = 8 * 2 ** 20
/** A file with more events takes too long for a request: it needs the command. */
export const importMostEvents = 5000

export const stageUnknown = { code: 'stage_unknown', status: 400 } as const satisfies RefusalKind
export const endBeforeStart = { code: 'end_before_start', status: 400 } as const satisfies RefusalKind
export const scheduleUnreadable = { code: 'schedule_unreadable', status: 422 } as const satisfies RefusalKind

const fields = inputOf(eventFields)
/** The empty form of an event: a text for each field. */
export const emptyEventForm = emptyForm(eventFields)
const reason = emptied(line({ max: 500 })).meta({ description: 'kept in the log' })

export const createEvent = endpoint({
  method: 'POST',
  path: '/api/events',
  summary: 'A new event',
  tag: 'events',
  body: z.object({
    ...fields,
    title: eventFields.title.input,
    category: eventFields.category.input.default('other'),
    status: z.enum(['draft', 'scheduled']).default('scheduled'),
    starts_at: eventFields.starts_at.input,
    performers: eventFields.performers.input.default([]),
    languages: eventFields.languages.input.default([]),
    family_friendly: eventFields.family_friendly.input.default(false),
    all_day: eventFields.all_day.input.default(false),
  }),
  access: staffAlone,
  staff: { action: 'create-event', inverse: true },
  idempotent: true,
  answer: event,
  status: 201,
  refusals: [invalidInput, stageUnknown, endBeforeStart, keyUsed],
})

export const editEvent = endpoint({
  method: 'PUT',
  path: '/api/events/{event_id}',
  summary: 'Changes, moves, delays or cancels an event; a missing field stays',
  tag: 'events',
  params: z.object({ event_id: pathId }),
  body: z.object({ ...fields, reason }),
  access: staffAlone,
  staff: { action: 'edit-event', inverse: true },
  idempotent: true,
  version: 'updated_at',
  answer: event,
  refusals: [invalidInput, eventNotFound, stageUnknown, endBeforeStart, keyUsed],
})

export const deleteEvent = endpoint({
  method: 'DELETE',
  path: '/api/events/{event_id}',
  summary: 'Hides an event; an undo brings it back with what people saved. One that people saved is better cancelled',
  tag: 'events',
  params: z.object({ event_id: pathId }),
  body: z.object({ reason }),
  access: staffAlone,
  staff: { action: 'delete-event', inverse: true },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, eventNotFound, keyUsed],
})

export const listStaffEvents = endpoint({
  method: 'GET',
  path: '/api/admin/events',
  summary: 'All events in order of time, drafts included',
  tag: 'events',
  query: z.object({ ...eventFilters, ...pageQuery }),
  access: staffAlone,
  answer: answerList(event, 100),
  paged: true,
  refusals: [invalidInput],
})

export const getStaffEvent = endpoint({
  method: 'GET',
  path: '/api/admin/events/{event_id}',
  summary: 'One event, also a draft',
  tag: 'events',
  params: z.object({ event_id: pathId }),
  access: staffAlone,
  answer: event,
  refusals: [eventNotFound],
})

export const listStaffStages = endpoint({
  method: 'GET',
  path: '/api/admin/stages',
  summary: 'All stages, also those without events',
  tag: 'events',
  access: staffAlone,
  answer: answerList(stage, wholeDayLimit),
  refusals: [],
})

export const venueUnknown = { code: 'venue_unknown', status: 400 } as const satisfies RefusalKind

const isWholePosition = ({ latitude, longitude }: { latitude?: number | null; longitude?: number | null }) =>
  (latitude == null) === (longitude == null)
const halfPosition = { path: ['latitude'], ...fieldIssue('invalid') }

export const createStage = endpoint({
  method: 'POST',
  path: '/api/admin/stages',
  summary: 'A new stage, at a venue that is there or at a new one',
  tag: 'events',
  body: z
    .object({
      stage: nameOf({ max: 120 }),
      venue_id: emptied(z.string().max(36)).meta({
        description: 'null: a new venue, made from the rest',
        override: { type: ['string', 'null'], maxLength: 36 },
      }),
      ...inputOf(venueFields),
      venue_name: emptied(venueFields.venue_name.input).meta({ description: 'null: as the stage' }),
    })
    .refine(isWholePosition, halfPosition),
  access: staffAlone,
  staff: { action: 'create-stage', inverse: true },
  idempotent: true,
  answer: stage,
  status: 201,
  refusals: [invalidInput, venueUnknown, keyUsed],
})

export const venueNotFound = { code: 'venue_not_found', status: 404 } as const satisfies RefusalKind

export const editVenue = endpoint({
  method: 'PUT',
  path: '/api/admin/venues/{venue_id}',
  summary: 'Says more of a venue, or otherwise; a missing field stays',
  tag: 'events',
  params: z.object({ venue_id: pathId }),
  body: z.object(inputOf(venueFields)).refine(isWholePosition, halfPosition),
  access: staffAlone,
  staff: { action: 'edit-venue', inverse: true },
  idempotent: true,
  answer: venue,
  refusals: [invalidInput, venueNotFound, keyUsed],
})

/** A person's choice of the field by heading, as JSON, for forms hold texts alone. Remembered for the source. */
const chosenColumns = z
  .preprocess(
    (value) => (typeof value === 'string' && value !== '' ? parsedOr(value) : undefined),
    z.record(z.string().max(200), z.enum(['', ...tableFields])).optional(),
  )
  .meta({
    override: { type: 'string', maxLength: 20_000 },
    description: `JSON: for a heading one of ${tableFields.join(', ')}, or "" for a column that is not read`,
  })

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const importEvents = endpoint({
  method: 'POST',
  path: '/api/admin/events/import',
  summary: 'Takes a schedule file over, or with dry_run says what it would change',
  tag: 'events',
  files: { file: { maxBytes: importMaxBytes } },
  body: z.object({
    ...confirming,
    source: queryText(40),
    columns: chosenColumns,
    day_order: queryChoice(dayOrders).meta({
      description: 'of dates such as 03/04/2026, where the file does not tell',
    }),
  }),
  access: staffAlone,
  staff: { action: 'import-events', inverse: true },
  idempotent: true,
  answersWithinMs: 60_000,
  answer: importReport
    .extend({
      table: z
        .object({
          columns: answerList(
            z.object({
              heading: answerText(200),
              sample: answerText(60),
              field: z.enum(tableFields).nullable().meta({ unread: null, description: 'null: not read' }),
            }),
            60,
          ),
          is_enough: z.boolean().meta({ description: 'false: no column holds a title, or none a start' }),
          day_order: z.enum(dayOrders).meta({ unread: 'day-first' }),
          unclear_date: answerText(40)
            .nullable()
            .meta({ description: 'a date that may be read in both orders, where nothing tells which' }),
        })
        .nullable()
        .meta({ description: 'how the columns of a table were read; null: no table' }),
    })
    .meta({ id: 'ImportReport' }),
  refusals: [invalidInput, scheduleUnreadable, unconfirmed, importBusy, tooLarge, keyUsed],
})
