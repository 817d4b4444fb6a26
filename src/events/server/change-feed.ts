import { pageByTime, type Page } from '../../kit/server/page.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import type { listChanges as listChangesEndpoint } from '../contract.ts'
import { listedAnswer, type EventRoom } from './programme.ts'
import * as store from './store.ts'

type Changes = AnswerBody<typeof listChangesEndpoint>

/** Changed events of the programme by the time of their last change; a removed one has `event: null`. */
export async function listChanges(
  { db, clock }: EventRoom,
  query: CheckedInput<typeof listChangesEndpoint>['query'],
): Promise<Page<Changes[number]>> {
  const since = new Date(query.since ?? 0)
  return pageByTime(
    query,
    {
      list: (stretch) => store.listChanged(db, since, stretch),
      count: (cap) => store.countChanged(db, since, cap),
      placeOf: ({ changed_at, event_id }) => [changed_at, event_id],
    },
    async (rows) => {
      const found = await store.findEvents(
        db,
        rows.map(({ event_id }) => event_id),
      )
      const now = clock.now()
      const events = new Map(found.map((row) => [row.event_id, listedAnswer(row, now)]))
      return rows.map((row) => ({ ...row, event: events.get(row.event_id) ?? null }))
    },
  )
}
