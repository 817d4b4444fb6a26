import type { ListedEvent } from '../../events/contract.ts'
import { deletedByIds, eventsByIds, type DeletedEvent } from '../../events/server/events.ts'
import type { Sql } from '../../kit/server/database.ts'
import { entriesMost, type ScheduleEntry } from '../contract.ts'
import { inOrder } from '../times.ts'
import type { ScheduleRoom } from './room.ts'
import * as store from './store.ts'

/** In order of time. An event that is a draft again is not shown until it is public. */
export async function entriesOf(
  { db, clock }: Pick<ScheduleRoom, 'db' | 'clock'>,
  accountId: string,
): Promise<ScheduleEntry[]> {
  const rows = await store.listEntries(db, accountId, entriesMost)
  const events = await eventsByIds(
    db,
    clock.now(),
    rows.map(({ event_id }) => event_id),
  )
  const byId = new Map(events.map((event) => [event.event_id, event]))
  return rows
    .flatMap((row) => {
      const event = byId.get(row.event_id)
      return event ? [entryAnswer(row, event)] : []
    })
    .toSorted((a, b) => inOrder(a.event, b.event))
}

/** What was saved of published events that staff have deleted, in order of time. */
export async function deletedOf(db: Sql, accountId: string): Promise<DeletedEvent[]> {
  const rows = await store.listEntries(db, accountId, entriesMost)
  return deletedByIds(
    db,
    rows.map(({ event_id }) => event_id),
  )
}

export function entryAnswer({ event_id: _, ...row }: store.EntryRow, event: ListedEvent): ScheduleEntry {
  return { ...row, event }
}
