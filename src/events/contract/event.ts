import { z } from 'zod'
import type { RefusalKind } from '../../kit/shared/refusal.ts'
import { richText } from '../../kit/shared/rich-text.ts'
import { answerOf } from '../../kit/shared/thing.ts'
import { eventFields, listedFields, type performer } from '../event.ts'
import type { venue } from '../venue.ts'

export * from '../limits.ts'

/** The festival day ends at this hour of the next morning, in the festival's zone. */
export const dayEndsAtHour = 6
/** Most days of the programme in a list. */
export const daysShown = 100
/** Most events of an answer for a day without `limit`, or for a list of ids. */
export const wholeDayLimit = 500

export const eventNotFound = { code: 'event_not_found', status: 404 } as const satisfies RefusalKind

export type Venue = z.infer<typeof venue>
export type Performer = z.infer<typeof performer>

export const listedEvent = z.object(answerOf(listedFields)).meta({ id: 'ListedEvent' })
export type ListedEvent = z.infer<typeof listedEvent>

export const event = z.object(answerOf(eventFields)).meta({ id: 'Event' })
export type Event = z.infer<typeof event>

/** An event as its page shows it: with its description as elements. */
export const shownEvent = event.extend({ content: richText(5000).nullable() }).meta({ id: 'ShownEvent' })
export type ShownEvent = z.infer<typeof shownEvent>
