import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { changesSince, refuseUndo, type Undo, type Undos } from '../../staff/server/staff.ts'
import type { Case } from './decide.ts'
import { findMember } from './members.ts'
import { findPost } from './posts.ts'
import { findReported } from './reports.ts'
import type { CaseRoom } from './room.ts'
import { reopenAppeals, settleAppeals } from './settle-appeals.ts'
import { findBusiness } from './suspensions.ts'
import { findTopic } from './topics.ts'

/** By the kind of object in the log. */
const kinds: Record<string, (room: CaseRoom, trx: Sql, id: string) => Promise<Case | null>> = {
  post: findPost,
  topic: findTopic,
  member: findMember,
  deal: findReported,
  rating: findReported,
  business: findBusiness,
}

const suspending = ['suspend-business', 'lift-suspension']
/** Without a merge and the decision about an appeal, which are final. */
const decisions = ['decide-report', ...suspending, 'moderate-post', 'moderate-topic', 'moderate-member']

/**
 * How a decision is taken back: all that it changed is as it was before, unless somebody changed that later. Of one about many things,
 * a suspension, the undo can be undone too.
 */
export function caseUndos(room: CaseRoom): Undos {
  const undo: Undo = async (trx, entry, entryId) => {
    const { object_kind, object_id, before, after } = entry
    if (object_id === null || !before || !after) return null
    const found = await kinds[object_kind]!(room, trx, object_id)
    const since = await changesSince(trx, entry, [...decisions, 'decide-appeal'])
    const later = since.find((change) => change.after['what'] !== 'appeal_upheld')
    if (!found || later || !isAsLeft(found.standing, after)) return refuseUndo(entry, later ?? null, room.zone)
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

/** What the log says of fields that the thing has. */
const isAsLeft = (standing: Case['standing'], after: Record<string, unknown>): boolean =>
  Object.keys(after)
    .filter((field) => Object.hasOwn(standing, field))
    .every((field) => JSON.stringify(standing[field]) === JSON.stringify(after[field]))
