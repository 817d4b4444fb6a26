import type * as events from '../../events/contract.ts'
import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
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
import { priorities } from '../autoplan.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const categories = ['music', 'nightlife', 'food', 'workshop', 'family', 'culture', 'sport', 'other'] as const
const statuses = ['draft', 'scheduled', 'delayed', 'moved', 'cancelled', 'ended'] as const
const day = (value: unknown) => like(/^\d{4}-\d\d-\d\d$/)(value) ?? undefined
const moment = (value: unknown) => instant(value) ?? undefined

const event = record<events.ListedEvent>({
  event_id: needed,
  title: textOr('–'),
  category: oneOf(categories, 'other'),
  status: oneOf(statuses, 'scheduled'),
  starts_at: moment,
  ends_at: instant,
  festival_day: day,
  stage_id: text,
  stage: text,
  venue: or(
    record<events.Venue>({
      venue_id: needed,
      venue_name: textOr('–'),
      address: text,
      latitude: degrees(90),
      longitude: degrees(180),
      capacity: number,
      step_free: flag,
      quiet_area: flag,
    }),
    null,
  ),
  performers: or(list(record<events.Performer>({ performer_id: needed, performer_name: needed })), []),
  languages: or(list(needed), []),
  price_chf: number,
  age_min: number,
  family_friendly: flagOr(false),
  image_url: text,
  previous: or(record<{ starts_at: string | null; venue: string | null }>({ starts_at: instant, venue: text }), null),
  saves: number,
  sequence: numberOr(0),
  updated_at: or(instant, ''),
})

/** Events by their ids, for what a phone has kept. */
export const listEvents = apiCall<typeof events.listEvents>('GET /api/events', list(event))

const minutes = list((value) => number(value) ?? undefined)
const entry = record<contract.ScheduleEntry>({
  entry_id: needed,
  priority: oneOf(priorities, 'want'),
  note: text,
  reminders: or(minutes, []),
  created_at: or(instant, ''),
  updated_at: or(instant, ''),
  event,
})

export const listSchedule = apiCall<typeof contract.listSchedule>(
  'GET /api/schedule',
  record({ entries: list(entry), feed_url: text, share_url: text, today: or(day, ''), account_id: textOr('') }),
)
export const addToSchedule = apiCall<typeof contract.addToSchedule>(
  'POST /api/schedule',
  record({
    entry,
    clashes: or(
      list(
        record<{ entry_id: string; event_id: string; title: string }>({
          entry_id: needed,
          event_id: needed,
          title: textOr('–'),
        }),
      ),
      [],
    ),
  }),
)
export const importToSchedule = apiCall<typeof contract.importToSchedule>(
  'POST /api/schedule/import',
  record({ added: numberOr(0), already: numberOr(0), unknown: numberOr(0), full: numberOr(0) }),
)
export const changeEntry = apiCall<typeof contract.changeEntry>('PATCH /api/schedule/{entry_id}', entry, {
  id: 'entry_id',
})
export const removeEntry = apiCall<typeof contract.removeEntry>('DELETE /api/schedule/{entry_id}', anything)

const ids = or(list(needed), [])
export const planSchedule = apiCall<typeof contract.planSchedule>(
  'POST /api/schedule/autoplan',
  record({
    kept: list(needed),
    dropped: or(
      list(
        record<{ event_id: string; reason: 'clash' | 'walk' | 'cancelled'; because: string[] }>({
          event_id: needed,
          reason: oneOf(['clash', 'walk', 'cancelled'], 'clash'),
          because: ids,
        }),
      ),
      [],
    ),
    gained: ids,
    lost: ids,
    beyond: numberOr(0),
  }),
)
export const dealsInGap = apiCall<typeof contract.dealsInGap>(
  'GET /api/schedule/gap',
  list(
    record({
      deal_id: needed,
      deal_name: textOr('–'),
      business_name: textOr(''),
      category: textOr('other'),
      price_chf: number,
      discount: text,
      walk_there: numberOr(0),
      walk_on: numberOr(0),
      detour_minutes: numberOr(0),
      leave_at: moment,
    }),
  ),
)
export const rotateFeed = apiCall<typeof contract.rotateFeed>(
  'POST /api/schedule/feed/rotate',
  record({ feed_url: needed }),
)
export const shareSchedule = apiCall<typeof contract.shareSchedule>(
  'POST /api/schedule/share',
  record({ share_url: needed, qr: record<{ size: number; path: string }>({ size: numberOr(1), path: needed }) }),
)
export const unshareSchedule = apiCall<typeof contract.unshareSchedule>('DELETE /api/schedule/share', anything)
export const getShared = apiCall<typeof contract.getShared>(
  'GET /api/shared/{token}',
  record({
    owner: textOr('–'),
    entries: list(
      record<{ priority: contract.ScheduleEntry['priority']; event: events.ListedEvent }>({
        priority: oneOf(priorities, 'want'),
        event,
      }),
    ),
  }),
)
