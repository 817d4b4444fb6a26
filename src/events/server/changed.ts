import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, totalCap } from '../../kit/shared/input.ts'
import type { listChanges as listChangesEndpoint } from '../contract.ts'
import { listedAnswer, type EventRoom } from './programme.ts'
import * as store from './store.ts'

type Changes = AnswerBody<typeof listChangesEndpoint>

/** What has changed in the programme, by its last change; an event that has gone is named without its content. */
export async function listChanges(
  { db, clock }: EventRoom,
  query: CheckedInput<typeof listChangesEndpoint>['query'],
): Promise<Page<Changes[number]>> {
  const cursor = cursorOf(query.after, ['instant', 'id'])
  const since = new Date(query.since ?? 0)
  const limit = query.limit ?? defaultPageSize
  const [rows, count] = await Promise.all([
    store.listChanged(db, since, {
      after: cursor && { changedAt: cursor[0], id: cursor[1] },
      offset: query.offset ?? 0,
      limit: limit + 1,
    }),
    store.countChanged(db, since, totalCap + 1),
  ])
  const items = rows.slice(0, limit)
  const found = await store.findEvents(
    db,
    items.map(({ event_id }) => event_id),
  )
  const now = clock.now()
  const events = new Map(found.map((row) => [row.event_id, listedAnswer(row, now)]))
  const last = items.at(-1)
  return new Page(
    items.map((row) => ({ ...row, event: events.get(row.event_id) ?? null })),
    totalUpTo(count),
    rows.length > limit && last ? writeCursor([last.changed_at, last.event_id]) : null,
  )
}
