import { apiCall } from '../../kit/browser/asking.ts'
import {
  degrees,
  flag,
  flagOr,
  instant,
  like,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import { pieces } from '../../kit/browser/read-pieces.ts'
import type * as contract from '../contract.ts'
import { eventCategories, eventStatuses } from '../limits.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const day = (value: unknown) => like(/^\d{4}-\d\d-\d\d$/)(value) ?? undefined
const moment = (value: unknown) => instant(value) ?? undefined

export const venue = record<contract.Venue>({
  venue_id: needed,
  venue_name: textOr('–'),
  address: text,
  latitude: degrees(90),
  longitude: degrees(180),
  capacity: number,
  step_free: flag,
  quiet_area: flag,
})
const listed = {
  event_id: needed,
  title: textOr('–'),
  category: oneOf(eventCategories, 'other'),
  status: oneOf(eventStatuses, 'scheduled'),
  starts_at: moment,
  ends_at: instant,
  festival_day: day,
  stage_id: text,
  stage: text,
  venue: or(venue, null),
  performers: or(list(record<contract.Performer>({ performer_id: needed, performer_name: needed })), []),
  languages: or(list(needed), []),
  price_chf: number,
  age_min: number,
  family_friendly: flagOr(false),
  image_url: text,
  previous: or(record<{ starts_at: string | null; venue: string | null }>({ starts_at: instant, venue: text }), null),
  saves: number,
  sequence: numberOr(0),
  updated_at: or(instant, ''),
} as const

export const oneListed = record<contract.ListedEvent>(listed)
export const listEvents = apiCall<typeof contract.listEvents>('GET /api/events', list(oneListed))

export const oneEvent = record<contract.Event>({ ...listed, description: text, ticket_url: text })
export const getEvent = apiCall<typeof contract.getEvent, contract.ShownEvent>(
  'GET /api/events/{event_id}',
  record<contract.ShownEvent>({ ...listed, description: text, ticket_url: text, content: or(pieces, null) }),
  { id: 'event_id' },
)

export const getEventNeighbours = apiCall<typeof contract.getEventNeighbours>(
  'GET /api/events/{event_id}/neighbours',
  record({
    previous: or(oneListed, null),
    next: or(oneListed, null),
    parallel: or(list(oneListed), []),
    sets: or(list(oneListed), []),
  }),
)

export const stage = record<contract.Stage>({ stage_id: needed, stage: textOr('–'), venue })
export const getProgramme = apiCall<typeof contract.getProgramme>(
  'GET /api/events/programme',
  record({
    days: or(list(record<contract.ProgrammeDay>({ day, events: numberOr(0), is_earlier: flagOr(false) })), []),
    days_left_out: numberOr(0),
    stages: or(list(stage), []),
    categories: or(
      list((value) => oneOf(eventCategories, null)(value) ?? undefined),
      [],
    ),
    today: or(day, ''),
    now: or(instant, ''),
  }),
)
