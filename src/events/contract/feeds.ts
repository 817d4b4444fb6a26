import { z } from 'zod'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { queryText } from '../../kit/shared/input.ts'
import { invalidInput } from '../../kit/shared/refusal.ts'
import { eventFilters } from './programme.ts'

/** Maximum events of a feed. Of more, the latest are sent. */
export const feedLimit = 5000

const { day, stage, category } = eventFilters
const narrowed = { day, stage, category }

/** Cancelled and deleted events are sent as cancelled, so that calendars update them. */
export const eventsCalendar = endpoint({
  method: 'GET',
  path: '/api/events.ics',
  summary: 'The programme as iCalendar, by day, stage and category; or one event',
  tag: 'events',
  query: z.object({ ...narrowed, event: queryText(36).meta({ description: 'id of one event' }) }),
  access: 'public',
  answer: null,
  fileType: 'text/calendar',
  feed: true,
  refusals: [invalidInput],
})

/** Leaves cancelled events out: the format has no status, and apps that read it notice when an event disappears. */
export const eventsFrabJson = endpoint({
  method: 'GET',
  path: '/api/events.json',
  summary: 'The programme as schedule JSON of frab and c3voc, by day, stage and category',
  tag: 'events',
  query: z.object(narrowed),
  access: 'public',
  answer: null,
  fileType: 'application/json',
  feed: true,
  refusals: [invalidInput],
})

export const eventsFrabXml = endpoint({
  method: 'GET',
  path: '/api/events.xml',
  summary: 'The programme as schedule XML of frab and c3voc, by day, stage and category',
  tag: 'events',
  query: z.object(narrowed),
  access: 'public',
  answer: null,
  fileType: 'application/xml',
  feed: true,
  refusals: [invalidInput],
})
