import type { Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Piece } from '../../../kit/shared/rich-text.ts'
import { columnsOf, type Fields, type RowOf } from '../../../kit/shared/thing.ts'
import type { EventRowState, Performer, Venue } from '../../contract.ts'
import { eventFields, listedFields, type EventFields, type ListedFields } from '../../event.ts'
import { venueFields } from '../../venue.ts'

export type EventsTable = Omit<Selectable<DB['events']>, 'state'> & { state: EventRowState }

/** Columns of a row beside those of its fields. */
interface Beside {
  over_at: string
  last_day: string
  stage: string | null
  venue: Venue | null
  performers: Performer[]
  previous_starts_at: string | null
  previous_place: string | null
}
export interface EventRow extends RowOf<ListedFields, EventsTable>, Beside {}
export interface WholeEventRow extends RowOf<EventFields, EventsTable>, Beside {}

export interface ShownEventRow extends WholeEventRow {
  /** The description as elements; null beside a description: the row is older than this column. */
  content: Piece[] | null
}

export const venueJson = `json_build_object(${columnsOf(venueFields)
  .map((column) => `'${column}', v.${column}`)
  .join(', ')})`

const beside: Record<keyof Beside, string> = {
  over_at: 'e.over_at',
  // '-infinity' in rows from before the column
  last_day: 'greatest(e.festival_day, e.last_day)',
  stage: 's.stage_name',
  venue: `case when v.venue_id is null then null else ${venueJson} end`,
  performers: `coalesce((select json_agg(json_build_object('performer_id', p.performer_id, 'performer_name', p.performer_name)
    order by ep.position) from event_performers ep join performers p using (performer_id)
    where ep.event_id = e.event_id), '[]')`,
  previous_starts_at: 'e.previous_starts_at',
  previous_place: 'e.previous_place',
}
const columnsBy = (fields: Fields) =>
  [
    ...columnsOf(fields).map((column) => `e.${column}`),
    ...Object.entries(beside).map(([name, sql]) => `${sql} as ${name}`),
  ].join(', ')

/** The columns of `EventRow`, of an event `e`. */
export const listed = columnsBy(listedFields)
/** The columns of `WholeEventRow`. */
export const whole = columnsBy(eventFields)

export const withPlace = `left join stages s on s.stage_id = e.stage_id left join venues v on v.venue_id = s.venue_id`

/** One event, also a draft; deleted ones are not found. */
export async function findEvent(db: Sql, eventId: string): Promise<ShownEventRow | undefined> {
  const rows = await query<ShownEventRow>(
    db,
    `select ${whole}, e.content from events e ${withPlace}
     where e.event_id = $eventId and e.deleted_at is null`,
    { eventId },
  )
  return rows[0]
}

/** Published events by id, in order of time. */
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
  /** The end; for an open end, when the event counts as over. */
  over_at: string
  sequence: number
  updated_at: string
}

/** SQL condition: event `e` was published and is deleted. */
export const isDeletedPublicly = `e.deleted_at is not null
  and exists (select from removed_events r where r.event_id = e.event_id)`

/** Events by id that were published and are deleted, in order of time. */
export async function deletedByIds(db: Sql, eventIds: readonly string[]): Promise<DeletedEvent[]> {
  return query<DeletedEvent>(
    db,
    `select e.event_id, e.title, e.starts_at, e.over_at, e.sequence, e.updated_at from events e
     where e.event_id = any($eventIds::uuid[]) and ${isDeletedPublicly} order by e.starts_at, e.event_id`,
    { eventIds: [...eventIds] },
  )
}
