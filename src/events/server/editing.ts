import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { pageByTime, type Page } from '../../kit/server/page.ts'
import { expectVersion, type RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { changedRow, emptyRow } from '../../kit/shared/thing.ts'
import { act, refuseUndo, type Undo, type Undos } from '../../staff/server/staff.ts'
import {
  endBeforeStart,
  farthestYears,
  eventNotFound,
  stageUnknown,
  type createEvent as createEndpoint,
  type deleteEvent as deleteEndpoint,
  type editEvent as editEndpoint,
  type Event,
  type listStaffEvents as listEndpoint,
} from '../contract.ts'
import { eventFields, type EventFields } from '../event.ts'
import { noteMove } from '../policy.ts'
import { applyEdits, reachOf, undoEdits, type Snapshot } from './edits.ts'
import { wholeDays } from './festival-day.ts'
import { momentOf } from './import/read-times.ts'
import { claimPicture } from './pictures.ts'
import { eventAnswer, filtersOf, type EventRoom } from './programme.ts'
import { undoStage, undoVenue } from './stages.ts'
import * as store from './store.ts'
import { redoImport, undoImport } from './undo-import.ts'

/** All events for staff, drafts included, in order of time. */
export async function listStaffEvents(
  { db, clock }: EventRoom,
  query: CheckedInput<typeof listEndpoint>['query'],
): Promise<Page<Event>> {
  const now = clock.now()
  const filters = { ...filtersOf(query, asDate(now)), drafts: true }
  return pageByTime(
    query,
    {
      list: (stretch) => store.listWholeEvents(db, filters, stretch),
      count: (cap) => store.countEvents(db, filters, cap),
      placeOf: ({ starts_at, event_id }) => [starts_at, event_id],
    },
    (rows) => rows.map((row) => staffAnswer(row, now)),
  )
}

/** One event for staff, also a draft. @throws `event_not_found` */
export async function findStaffEvent(db: Sql, { clock }: Pick<EventRoom, 'clock'>, eventId: string): Promise<Event> {
  const row = isUuid(eventId) ? await store.findEvent(db, eventId) : undefined
  if (!row) throw new Refusal(eventNotFound)
  return staffAnswer(row, clock.now())
}

/** Staff see how many saved an event, however few. */
const staffAnswer = (row: store.WholeEventRow, now: Temporal.Instant): Event => ({
  ...eventAnswer(row, now),
  saves: row.saves,
})

/** Creates an event. @throws `invalid_input`, `stage_unknown`, `end_before_start`, `key_used` */
export async function createEvent(
  room: EventRoom,
  asking: RequestContext,
  body: CheckedInput<typeof createEndpoint>['body'],
): Promise<Event> {
  return act(room, asking, { operation: 'create-event', input: body }, async (trx, entryId) => {
    const event_id = newId()
    const after = await editedSnapshot(trx, room, blank, body)
    await applyEdits(trx, room, entryId, [{ event_id, before: null, after }], new Map())
    return {
      answer: await findStaffEvent(trx, room, event_id),
      done: { action: 'create-event', object: { kind: 'event', id: event_id, name: after.title }, after: { ...after } },
    }
  })
}

/**
 * Changes an event; a status that staff choose wins over the one that follows from a move.
 * @throws `invalid_input`, `event_not_found`, `stage_unknown`, `end_before_start`, `changed_meanwhile`, `key_used`
 */
export async function editEvent(
  room: EventRoom,
  asking: RequestContext,
  eventId: string,
  body: CheckedInput<typeof editEndpoint>['body'],
): Promise<Event> {
  return act(room, asking, { operation: 'edit-event', input: { eventId, body } }, async (trx, entryId) => {
    const stored = await lockEvent(trx, eventId)
    expectVersion(asking, stored.updated_at)
    const before = stored.snapshot
    const wanted = await editedSnapshot(trx, room, before, body)
    const stages = [before, wanted].flatMap(({ stage_id }) => stage_id ?? [])
    const noted = noteMove(before, wanted, await store.placeNames(trx, stages))
    const after = body.status === undefined ? noted : { ...noted, state: body.status }
    const edit = { event_id: eventId, before, after }
    await applyEdits(trx, room, entryId, [edit], new Map([[eventId, stored.sequence]]))
    const differs = (Object.keys(after) as (keyof Snapshot)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    const only = await loggedFields(trx, [before, after], differs)
    return {
      answer: await findStaffEvent(trx, room, eventId),
      done: {
        action: 'edit-event',
        object: { kind: 'event', id: eventId, name: after.title },
        before: only(before),
        after: only(after),
        reason: body.reason ?? null,
      },
    }
  })
}

/** Fields of an event as the log shows them: stage and performers by name, which stay readable when those are removed. */
async function loggedFields(trx: Sql, versions: readonly Snapshot[], fields: readonly (keyof Snapshot)[]) {
  const places = await store.placeNames(
    trx,
    versions.flatMap(({ stage_id }) => stage_id ?? []),
  )
  const people = await store.performerNames(
    trx,
    versions.flatMap(({ performers }) => performers),
  )
  return (of: Snapshot): Record<string, unknown> =>
    Object.fromEntries(
      fields.map((field) => {
        if (field === 'stage_id') return ['stage', of.stage_id === null ? null : (places.get(of.stage_id) ?? null)]
        if (field === 'performers') return [field, of.performers.map((id) => people.get(id) ?? '–')]
        return [field, of[field]]
      }),
    )
}

/** Hides an event; an undo restores it. @throws `event_not_found`, `key_used` */
export async function deleteEvent(
  room: EventRoom,
  asking: RequestContext,
  eventId: string,
  body: CheckedInput<typeof deleteEndpoint>['body'],
): Promise<null> {
  return act(room, asking, { operation: 'delete-event', input: { eventId, body } }, async (trx, entryId) => {
    const { snapshot: before, sequence } = await lockEvent(trx, eventId)
    const edit = { event_id: eventId, before, after: null }
    await applyEdits(trx, room, entryId, [edit], new Map([[eventId, sequence]]))
    return {
      answer: null,
      done: {
        action: 'delete-event',
        object: { kind: 'event', id: eventId, name: before.title },
        before: { ...before },
        reason: body.reason ?? null,
      },
    }
  })
}

/** How the log undoes actions on events, stages and venues. */
export function eventUndos(room: EventRoom): Undos {
  const undoEvents: Undo = async (trx, entry, entryId) => {
    const { kept, later, undone } = await undoEdits(trx, room, entry.entry_id, entryId)
    if (undone.length === 0) return refuseUndo(entry, later, room.zone)
    return { kept, reach: await reachOf(trx, undone, room.countSavers) }
  }
  // an undo is logged as edits, like every action, so the same function undoes it
  const bothWays = (undo: Undo) => ({ undo, redo: undo })
  return {
    'create-event': bothWays(undoEvents),
    'edit-event': bothWays(undoEvents),
    'delete-event': bothWays(undoEvents),
    'import-events': { undo: undoImport(room), redo: redoImport(room) },
    'create-stage': undoStage,
    'edit-venue': bothWays(undoVenue(room)),
  }
}

async function lockEvent(trx: Sql, eventId: string): Promise<store.StoredEvent> {
  const stored = isUuid(eventId) ? (await store.lockEvents(trx, [eventId])).get(eventId) : undefined
  if (!stored || stored.is_deleted) throw new Refusal(eventNotFound)
  return stored
}

type Body = Partial<CheckedInput<typeof editEndpoint>['body']>

/** The event with the fields that were sent; a missing field stays. */
async function editedSnapshot(trx: Sql, room: EventRoom, before: Snapshot, body: Body): Promise<Snapshot> {
  const { zone, clock } = room
  const iso = (field: 'starts_at' | 'ends_at', at: string) => {
    const moment = momentOf(at, zone)
    if (!moment) throw new Refusal(invalidInput, { fields: { [field]: { key: 'instant' } } })
    return new Date(moment.epochMilliseconds).toISOString()
  }
  const sent = changedRow<EventFields, store.EventsTable>(eventFields, body, {
    title: (title) => title.trim(),
    status: (status) => status,
    starts_at: (at) => iso('starts_at', at),
    ends_at: (at) => iso('ends_at', at),
    price_chf: rappenFromChf,
  })
  const after = { ...before, ...sent }
  const { image_url, starts_at } = after
  if (sent.stage_id != null && !(isUuid(sent.stage_id) && (await store.stageExists(trx, sent.stage_id))))
    throw new Refusal(stageUnknown)
  if (image_url !== null && image_url !== before.image_url) await claimPicture(trx, image_url)
  if (body.performers)
    after.performers = await store.performersNamed(
      trx,
      body.performers.map((name) => ({ performer_id: newId(), name: name.trim() })),
    )
  // a later start moves the end along, unless an end was sent
  const shift = Date.parse(starts_at) - Date.parse(before.starts_at)
  if (sent.ends_at === undefined && before.ends_at !== null && shift !== 0)
    after.ends_at = iso('ends_at', new Date(Date.parse(before.ends_at) + shift).toISOString())
  const { ends_at } = after
  for (const [field, at] of Object.entries({ starts_at, ends_at })) {
    if (at === null || at === before[field as 'starts_at' | 'ends_at']) continue
    if (Math.abs(Date.parse(at) - clock.now().epochMilliseconds) <= farthestYears * 366 * 24 * 3_600_000) continue
    throw new Refusal(invalidInput, { fields: { [field]: { key: 'far_away', values: { years: farthestYears } } } })
  }
  if (ends_at !== null && ends_at <= starts_at)
    throw new Refusal(endBeforeStart, { fields: { ends_at: { key: 'end_before_start' } } })
  return after.all_day ? { ...after, ...wholeDays(after, zone) } : after
}

const blank: Snapshot = {
  ...emptyRow<EventFields, store.EventsTable>(eventFields),
  previous_starts_at: null,
  previous_place: null,
  performers: [],
}
