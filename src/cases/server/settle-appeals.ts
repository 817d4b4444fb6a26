import { standingOf } from '../../forum/server/forum.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { notify, withdraw } from '../../notifications/server/notifications.ts'
import { page, postPlace } from '../../site-map.ts'
import { entriesByIds, nobody } from '../../staff/server/staff.ts'
import { appealEndOfBar, appealEndOfPost } from '../policy.ts'
import type { CaseRoom } from './room.ts'
import * as store from './store.ts'

/** Type of the notification to the person who appealed; texts under `notices`. */
export const appealNotice = 'forum_appeal'

/**
 * Closes open appeals about this thing if the decision no longer holds.
 * @param by the audit entry that ended the decision; null: it ended without one (a silence ran out, an author deleted the post)
 */
export async function settleAppeals(room: CaseRoom, trx: Sql, about: store.About, by: string | null): Promise<void> {
  for (const appeal of await store.openAppealsAbout(trx, about)) {
    const now = asDate(room.clock.now())
    const standing = await standingOf(trx, appeal)
    const until = appeal.what === 'member_ban' ? standing?.banned_until : standing?.silenced_until
    const decision = appeal.post_id === null ? appealEndOfBar(until, now) : appealEndOfPost(standing?.post_state)
    if (decision) await settle(room, trx, appeal, { decision, now, by })
  }
}

/** Opens appeals again that this entry closed, when the entry is undone, and withdraws their notifications. */
export async function reopenAppeals(room: CaseRoom, trx: Sql, about: store.About, entryId: string): Promise<void> {
  for (const id of await store.reopenAppeals(trx, about, entryId))
    await withdraw(room.notifications, trx, { group: groupOf(id) })
}

export const closeAppealsJob = 'close-forum-appeals'
/** If more are open, the rest waits until some of these are decided. */
const checkedAtOnce = 1000

/** Closes appeals whose decision ended by itself, such as a silence that ran out. */
export async function closeEndedAppeals(room: CaseRoom): Promise<void> {
  for (const { post_id, member_id } of await store.openAppeals(room.db, checkedAtOnce)) {
    const about = post_id === null ? { kind: 'member', id: member_id } : { kind: 'post', id: post_id }
    await room.db.transaction().execute((trx) => settleAppeals(room, trx, about, null))
  }
}

/** Settles an appeal and notifies the person who appealed. @returns false: it was settled before */
export async function settle(
  room: CaseRoom,
  trx: Sql,
  appeal: store.AppealRow,
  { decision, now, by }: { decision: store.AppealDecision; now: Date; by: string | null },
): Promise<boolean> {
  const { entry_id, what } = appeal
  if (!(await store.settleAppeal(trx, entry_id, { decision, decided_at: now, decided_by: by }))) return false
  const standing = await standingOf(trx, appeal)
  if (!standing?.account_id) return true
  const [entry] = await entriesByIds(trx, [entry_id])
  await notify(room.notifications, trx, {
    type: appealNotice,
    accountIds: [standing.account_id],
    once: `forum-appeal:${entry_id}:${now.getTime()}`,
    group: groupOf(entry_id),
    values: {
      decision,
      about: what === 'member_ban' ? 'ban' : what === 'member_silence' ? 'silence' : 'post',
      object: entry?.object_name ?? nobody,
    },
    path: standing.topic_state === 'visible' ? postPlace(standing.topic_id!, standing.post_number!) : page.forum,
  })
  return true
}

const groupOf = (entryId: string) => `appeal:${entryId}`
