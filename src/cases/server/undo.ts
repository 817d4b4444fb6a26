import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { changesSince, entriesByIds, refuseUndo, type Undo, type Undos } from '../../staff/server/staff.ts'
import type { ModeratedThing } from './decide.ts'
import { findMember } from './members.ts'
import { findPost } from './posts.ts'
import { findReportedThing } from './reports.ts'
import type { CaseRoom } from './room.ts'
import { reopenAppeals, settleAppeals } from './settle-appeals.ts'
import * as store from './store.ts'
import { findBusiness } from './suspensions.ts'
import { findTopic } from './topics.ts'

/** How each kind of object in the log is locked and read. */
const kinds: Record<string, (room: CaseRoom, trx: Sql, id: string) => Promise<ModeratedThing | null>> = {
  post: findPost,
  topic: findTopic,
  member: findMember,
  deal: findReportedThing,
  rating: findReportedThing,
  business: findBusiness,
}

const suspending = ['suspend-business', 'lift-suspension']
/** Merged topics and decided appeals are final. */
const decisions = ['decide-report', ...suspending, 'moderate-post', 'moderate-topic', 'moderate-member']

/**
 * Undos of decisions: restores all fields that the decision changed, unless one was changed later. Only the undo of a suspension,
 * which concerns many deals, can be undone too.
 */
export function caseUndos(room: CaseRoom): Undos {
  const undo: Undo = async (trx, entry, entryId) => {
    const { object_kind, object_id, before, after } = entry
    if (object_id === null || !before || !after) return null
    const found = await kinds[object_kind]!(room, trx, object_id)
    const since = await changesSince(trx, entry, [...decisions, 'decide-appeal'])
    const later = since.find((change) => change.after['what'] !== 'appeal_upheld')
    if (!found || later || !isAsLeft(found.fields, after)) return refuseUndo(entry, later ?? null, room.zone)
    const reach = await found.putBack(before, after, asDate(room.clock.now()))
    const about = { kind: object_kind, id: object_id }
    await reopenAppeals(room, trx, about, entry.entry_id)
    await settleAppeals(room, trx, about, entryId)
    return { kept: [], ...(reach ? { reach } : {}) }
  }
  return Object.fromEntries(
    decisions.map((action) => [action, suspending.includes(action) ? { undo, redo: undo } : undo]),
  )
}

/** Decisions whose appeal staff have granted: that is final, so their undo would always be refused. */
export async function finalDecisions(db: Sql, entryIds: string[]): Promise<string[]> {
  const appeals = [...(await store.appealsAgainst(db, entryIds)).values()]
  const granted = appeals.filter(({ decision }) => decision === 'overturned')
  const decidedBy = granted.flatMap(({ decided_by }) => decided_by ?? [])
  const deciding = await entriesByIds(db, decidedBy)
  const byStaff = new Set(deciding.filter(({ action }) => action === 'decide-appeal').map(({ entry_id }) => entry_id))
  return granted.filter(({ decided_by }) => byStaff.has(decided_by ?? '')).map(({ entry_id }) => entry_id)
}

/** Whether the fields still have the values that the entry left. `after` may hold more than fields. */
const isAsLeft = (fields: ModeratedThing['fields'], after: Record<string, unknown>): boolean =>
  Object.keys(after)
    .filter((field) => Object.hasOwn(fields, field))
    .every((field) => JSON.stringify(fields[field]) === JSON.stringify(after[field]))
