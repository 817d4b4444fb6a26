import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Piece } from '../../../kit/shared/rich-text.ts'
import type { EventCategory, EventRowState } from '../../contract.ts'

export interface EventRow {
  event_id: string
  title: string
  category: EventCategory
  state: EventRowState
  starts_at: string
  ends_at: string | null
  over_at: string
  festival_day: string
  stage_id: string | null
  stage: string | null
  venue: VenueRow | null
  performers: { performer_id: string; performer_name: string }[]
  languages: string[]
  price_rappen: number | null
  age_min: number | null
  family_friendly: boolean
  image_url: string | null
  previous_starts_at: string | null
  previous_place: string | null
  saves: number
  sequence: number
  updated_at: string
}

export interface WholeEventRow extends EventRow {
  description: string | null
  ticket_url: string | null
}

export interface ShownEventRow extends WholeEventRow {
  /** null beside a description: it was written before descriptions were read once. */
  content: Piece[] | null
}

export interface VenueRow {
  venue_id: string
  venue_name: string
  address: string | null
  latitude: number | null
  longitude: number | null
  capacity: number | null
  step_free: boolean | null
  quiet_area: boolean | null
}

export const venueJson = `json_build_object('venue_id', v.venue_id, 'venue_name', v.venue_name, 'address', v.address,
  'latitude', v.latitude, 'longitude', v.longitude, 'capacity', v.capacity, 'step_free', v.step_free,
  'quiet_area', v.quiet_area)`

/** What a list shows of an event `e`. */
export const listed = `e.event_id, e.title, e.category, e.state, e.starts_at, e.ends_at, e.over_at, e.festival_day,
  e.stage_id, s.stage_name as stage, case when v.venue_id is null then null else ${venueJson} end as venue,
  coalesce((select json_agg(json_build_object('performer_id', p.performer_id, 'performer_name', p.performer_name)
    order by ep.position) from event_performers ep join performers p using (performer_id)
    where ep.event_id = e.event_id), '[]') as performers,
  e.languages, e.price_rappen, e.age_min, e.family_friendly, e.image_url, e.previous_starts_at, e.previous_place,
  e.saves, e.sequence, e.updated_at`

export const withPlace = `left join stages s on s.stage_id = e.stage_id left join venues v on v.venue_id = s.venue_id`

/** Also a draft, but no deleted one. */
export async function findEvent(db: Sql, eventId: string): Promise<ShownEventRow | undefined> {
  const rows = await query<ShownEventRow>(
    db,
    `select ${listed}, e.description, e.ticket_url, e.content from events e ${withPlace}
     where e.event_id = $eventId and e.deleted_at is null`,
    { eventId },
  )
  return rows[0]
}

/** Those of the ids that are there and no drafts, in order of time. */
export async function findEvents(db: Sql, eventIds: readonly string[]): Promise<EventRow[]> {
  return query<EventRow>(
    db,
    `select ${listed} from events e ${withPlace}
     where e.event_id = any($eventIds::uuid[]) and e.state <> 'draft' order by e.starts_at, e.event_id`,
    { eventIds: [...eventIds] },
  )
}

/** A published event that was deleted; its row stays for a while (decision 58). */
export interface DeletedEvent {
  event_id: string
  title: string
  starts_at: string
  /** Its end, or when one without an end counts as over. */
  over_at: string
  sequence: number
  updated_at: string
}

/** Part of a statement about events `e`: it was published, and is deleted. */
export const isDeletedPublicly = `e.deleted_at is not null
  and exists (select from removed_events r where r.event_id = e.event_id)`

/** Those of the ids that were published and are deleted, in order of time. */
export async function deletedByIds(db: Sql, eventIds: readonly string[]): Promise<DeletedEvent[]> {
  return query<DeletedEvent>(
    db,
    `select e.event_id, e.title, e.starts_at, e.over_at, e.sequence, e.updated_at from events e
     where e.event_id = any($eventIds::uuid[]) and ${isDeletedPublicly} order by e.starts_at, e.event_id`,
    { eventIds: [...eventIds] },
  )
}
