import { z } from 'zod'
import { answerDegrees, answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import type { RefusalKind } from '../../kit/shared/refusal.ts'
import { richText } from '../../kit/shared/rich-text.ts'
import { eventCategories, eventStatuses, type EventStatus } from '../limits.ts'

export * from '../limits.ts'

/** What staff decides about an event. */
export type EventRowState = Exclude<EventStatus, 'ended'>

/** An event without an end counts for so many minutes where times are compared. */
export const openEndMinutes = 60
/** The festival day ends at this hour of the next morning, in the festival's zone. */
export const dayEndsAtHour = 6
/** How many have an event in their schedule is shown from this number on. */
export const savesShownFrom = 5
/** So many days of the programme are listed. */
export const daysShown = 100
/** A day without `limit`, and a list of ids, answers at most this many. */
export const wholeDayLimit = 500

export const eventNotFound = { code: 'event_not_found', status: 404 } as const satisfies RefusalKind

export const festivalDay = z.iso
  .date()
  .meta({ maxLength: 10, description: 'YYYY-MM-DD; the day of the festival, which ends at 06:00 of the next morning' })

export const venue = z
  .object({
    venue_id: answerId,
    venue_name: answerName(120),
    address: answerText(200).nullable(),
    latitude: answerDegrees(90).nullable(),
    longitude: answerDegrees(180).nullable(),
    capacity: z.number().int().nullable(),
    step_free: z.boolean().nullable().meta({ description: 'null: not known' }),
    quiet_area: z.boolean().nullable().meta({ description: 'null: not known' }),
  })
  .meta({ id: 'Venue' })
export type Venue = z.infer<typeof venue>

export const performer = z
  .object({ performer_id: answerId, performer_name: answerText(120).meta({ unread: undefined }) })
  .meta({ id: 'Performer' })
export type Performer = z.infer<typeof performer>

export const listedEvent = z
  .object({
    event_id: answerId,
    title: answerName(120),
    category: z.enum(eventCategories).meta({ unread: 'other' }),
    status: z.enum(eventStatuses).meta({ unread: 'scheduled' }),
    starts_at: answerInstant.meta({ unread: undefined }),
    ends_at: answerInstant.nullable().meta({ description: `null: open end; it counts ${openEndMinutes} minutes` }),
    festival_day: festivalDay.meta({ unread: undefined }),
    stage_id: answerId.nullable(),
    stage: answerText(120).nullable(),
    venue: venue.nullable().meta({ description: 'null: the place is not known yet' }),
    performers: answerList(performer, 40),
    languages: answerList(answerText(20), 10),
    price_chf: z.number().nullable().meta({ description: '0: free; null: not said' }),
    age_min: z.number().int().nullable(),
    family_friendly: z.boolean(),
    image_url: answerText(2000).nullable(),
    previous: z
      .object({ starts_at: answerInstant.nullable(), venue: answerText(250).nullable() })
      .nullable()
      .meta({ description: 'what held before the last move or delay; each part is null where it did not change' }),
    saves: z
      .number()
      .int()
      .nullable()
      .meta({ description: `how many have it in their schedule; null below ${savesShownFrom}, except to staff` }),
    sequence: z.number().int().meta({ description: 'counts changes, as in iCalendar' }),
    updated_at: answerInstant,
  })
  .meta({ id: 'ListedEvent' })
export type ListedEvent = z.infer<typeof listedEvent>

export const event = z
  .object({
    ...listedEvent.shape,
    description: answerText(5000).nullable().meta({ description: 'Markdown' }),
    ticket_url: answerText(2000).nullable(),
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof event>

/** An event as its page shows it. */
export const shownEvent = event.extend({ content: richText(5000).nullable() }).meta({ id: 'ShownEvent' })
export type ShownEvent = z.infer<typeof shownEvent>
