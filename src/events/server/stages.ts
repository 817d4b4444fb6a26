import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { changedRow, emptyRow } from '../../kit/shared/thing.ts'
import { act, changesSince, refuseUndo, type Undo } from '../../staff/server/staff.ts'
import {
  venueNotFound,
  venueUnknown,
  wholeDayLimit,
  type createStage as createStageEndpoint,
  type editVenue as editVenueEndpoint,
  type Stage,
  type Venue,
} from '../contract.ts'
import { venueFields, type VenueFields } from '../venue.ts'
import type { EventRoom } from './programme.ts'
import * as store from './store.ts'

/** Creates a stage, at a given venue or at a new one. @throws `venue_unknown`, `key_used` */
export async function createStage(
  room: EventRoom,
  asking: RequestContext,
  body: CheckedInput<typeof createStageEndpoint>['body'],
): Promise<Stage> {
  return act(room, asking, { operation: 'create-stage', input: body }, async (trx, entryId) => {
    const { stage, venue_id, ...venue } = body
    if (venue_id != null && !(isUuid(venue_id) && (await store.venueExists(trx, venue_id))))
      throw new Refusal(venueUnknown)
    const stage_id = newId()
    const at = venue_id ?? newId()
    if (venue_id == null)
      await store.insertVenue(
        trx,
        {
          venue_id: at,
          ...emptyRow<VenueFields, store.VenuesTable>(venueFields),
          ...changedRow<VenueFields, store.VenuesTable>(venueFields, venue, {}),
          venue_name: venue.venue_name ?? stage,
        },
        asDate(room.clock.now()),
      )
    await store.insertStage(trx, { stage_id, venue_id: at, stage_name: stage })
    const made = (await store.listStages(trx, wholeDayLimit * 10, 'all')).find((each) => each.stage_id === stage_id)
    return {
      answer: made!,
      done: {
        action: 'create-stage',
        object: { kind: 'stage', id: stage_id, name: stage },
        after: { stage_id, venue_id: at, entry_id: entryId, made_venue: venue_id == null },
      },
    }
  })
}

/** Removes the stage while it has no events, and its venue if that was made with it. */
export const undoStage: Undo = async (trx, { after }) => {
  const isGone = await store.deleteEmptyStage(trx, String(after?.['stage_id']))
  if (isGone && after?.['made_venue'] === true) await store.deleteEmptyVenue(trx, String(after['venue_id']))
  return isGone ? { kept: [] } : null
}

/** Changes a venue. @throws `venue_not_found`, `key_used` */
export async function editVenue(
  room: EventRoom,
  asking: RequestContext,
  venueId: string,
  body: CheckedInput<typeof editVenueEndpoint>['body'],
): Promise<Venue> {
  return act(room, asking, { operation: 'edit-venue', input: { venueId, body } }, async (trx) => {
    const before = isUuid(venueId) ? await store.lockVenue(trx, venueId) : undefined
    if (!before) throw new Refusal(venueNotFound)
    const changes = changedRow<VenueFields, store.VenuesTable>(venueFields, body, { venue_name: (name) => name.trim() })
    const after = { ...before, ...changes }
    await store.writeVenue(trx, after, asDate(room.clock.now()))
    const changed = (Object.keys(after) as (keyof Venue)[]).filter((field) => before[field] !== after[field])
    const only = (of: Venue) => Object.fromEntries(changed.map((field) => [field, of[field]]))
    return {
      answer: after,
      done: {
        action: 'edit-venue',
        object: { kind: 'venue', id: venueId, name: after.venue_name },
        before: only(before),
        after: only(after),
      },
    }
  })
}

/** Restores the venue from before the edit, unless somebody changed it later. */
export const undoVenue =
  ({ clock, zone }: EventRoom): Undo =>
  async (trx, entry) => {
    const { object_id, before, after } = entry
    const now = await store.lockVenue(trx, object_id ?? '')
    if (!now || !before || !after) return null
    const [later] = await changesSince(trx, entry)
    const isAsLeft = Object.entries(after).every(([field, value]) => now[field as keyof Venue] === value)
    if (later || !isAsLeft) return refuseUndo(entry, later ?? null, zone)
    await store.writeVenue(trx, { ...now, ...before }, asDate(clock.now()))
    return { kept: [] }
  }

export const listStaffStages = ({ db }: EventRoom): Promise<Stage[]> => store.listStages(db, wholeDayLimit, 'all')
