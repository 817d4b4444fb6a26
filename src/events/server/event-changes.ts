import type { Database } from '../../kit/server/database.ts'
import { pageByTime, type Page } from '../../kit/server/page.ts'
import type { House } from '../../kit/server/room.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import type { listChanges as listChangesEndpoint } from '../contract.ts'
import { announcedKinds, isPublic, type ChangeKind } from '../policy.ts'
import { listedAnswer, type EventRoom } from './programme.ts'
import * as store from './store.ts'

/*
 * From an edit to a notice:
 * 1. `applyEdits` stores the edits of one log entry and enqueues `eventChangesJob`.
 * 2. The job runs `publishEventChanges`: one fact for each event whose savers must hear of it.
 * 3. The room schedule groups the changes of each event (`groupEventChanges`) and notifies the savers (`sendEventNotices`).
 */

export const eventChangesJob = 'tell-event-changes'

/**
 * The fact for the rooms above that an event was changed, by staff or an import, and that people who saved it should know. Not
 * published for drafts, and not for new events.
 */
export const eventChanged = 'event-changed'
export interface EventChange {
  event_id: string
  /** What changed. */
  kinds: ChangeKind[]
  /** Before the change. Of an event that is `back`, the present event with the state `draft`. */
  before: AnnouncedEvent
  /** null: gone */
  after: AnnouncedEvent | null
  /** SEQUENCE of iCalendar after the change. */
  sequence: number
}

/** What a notification says of an event. */
export interface AnnouncedEvent extends Pick<store.Snapshot, 'title' | 'state' | 'starts_at' | 'ends_at'> {
  /** "Rheinbühne, Oberer Rheinweg"; null: not known. */
  place: string | null
}

/** Publishes the fact `eventChanged` for each event of a log entry whose savers must hear of it. */
export async function publishEventChanges(
  { db, publishFact }: { db: Database; publishFact: House['publishFact'] },
  entryId: string,
): Promise<void> {
  const edits = (await store.editsOf(db, entryId)).filter(({ before, after }) => isPublic(before) || isPublic(after))
  if (edits.length === 0) return
  const stages = edits.flatMap(({ before, after }) => [before?.stage_id, after?.stage_id]).filter((id) => id != null)
  await db.transaction().execute(async (trx) => {
    const places = await store.placeNames(trx, stages)
    const current = await store.lockEvents(
      trx,
      edits.map(({ event_id }) => event_id),
    )
    const stateOf = ({ title, state, starts_at, ends_at, stage_id }: store.Snapshot): AnnouncedEvent => ({
      title,
      state,
      starts_at,
      ends_at,
      place: stage_id === null ? null : (places.get(stage_id) ?? null),
    })
    for (const { event_id, before, after, sequence } of edits) {
      const now = current.get(event_id)
      const kinds = announcedKinds(before, after, now?.saves ?? 0)
      if (kinds.length === 0) continue
      const fact: EventChange = {
        event_id,
        kinds,
        before: isPublic(before) ? stateOf(before!) : { ...stateOf(after!), state: 'draft' },
        after: isPublic(after) ? stateOf(after!) : null,
        // of this edit: jobs run in any order, and the event may have a later number by now
        sequence: sequence ?? now?.sequence ?? 0,
      }
      await publishFact(trx, eventChanged, { ...fact })
    }
  })
}

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
