import { standingsOf } from '../../forum/server/forum.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { notify, withdraw } from '../../notifications/server/notifications.ts'
import { page, postPlace } from '../../site-map.ts'
import { entriesByIds, nobody } from '../../staff/server/staff.ts'
import type { CaseRoom } from './room.ts'
import * as store from './store.ts'

/** Of who appealed; texts under `notices`. */
export const appealNotice = 'forum_appeal'

/** A thing of the log; appeals are about posts and members. */
interface About {
  kind: string
  id: string | null
}

/** Closes appeals about what does not hold any more. `by`: the entry of what ended it; null: it ended by itself. */
export async function settleAppeals(room: CaseRoom, trx: Sql, about: About, by: string | null): Promise<void> {
  await settleEnded(room, trx, await store.openAppealsAbout(trx, about), by)
}

/** What this entry closed is open again, because it is undone, and nobody was told anything. */
export async function reopenAppeals(
  room: CaseRoom,
  trx: Sql,
  about: { kind: string; id: string },
  entryId: string,
): Promise<void> {
  if (about.kind !== 'post' && about.kind !== 'member') return
  for (const id of await store.reopenAppeals(trx, entryId, about))
    await withdraw(room.notifications, trx, { group: groupOf(id) })
}

export const closeAppealsJob = 'close-forum-appeals'
const closedAtOnce = 100

/** Appeals about what ended without a decision: above all silences that ran out. */
export async function closeEndedAppeals(room: CaseRoom): Promise<void> {
  for (let after: store.AppealRow | null = null; ;) {
    const last: store.AppealRow | undefined = await room.db.transaction().execute(async (trx) => {
      const open = await store.openAppeals(trx, after, closedAtOnce)
      await settleEnded(room, trx, open, null)
      return open.length < closedAtOnce ? undefined : open.at(-1)
    })
    if (!last) return
    after = last
  }
}

async function settleEnded(room: CaseRoom, trx: Sql, open: store.AppealRow[], by: string | null): Promise<void> {
  if (open.length === 0) return
  const now = asDate(room.clock.now())
  const { posts, members } = await standingsOf(trx, {
    postIds: open.flatMap(({ post_id }) => post_id ?? []),
    memberIds: open.map(({ member_id }) => member_id),
  })
  const endOf = ({ what, post_id, member_id }: store.AppealRow) => {
    const post = post_id === null ? undefined : posts.get(post_id)?.state
    if (post_id !== null) return post === 'visible' ? 'overturned' : post === 'deleted' ? 'closed' : null
    const member = members.get(member_id)
    const until = what === 'member_ban' ? member?.banned_until : member?.silenced_until
    if (until == null) return 'overturned'
    return new Date(until) <= now ? 'closed' : null
  }
  for (const appeal of open) {
    const decision = endOf(appeal)
    if (decision !== null) await settle(room, trx, appeal, { decision, now, by })
  }
}

/** Who appealed hears of it, in the transaction of the decision. False where it is settled already. */
export async function settle(
  room: CaseRoom,
  trx: Sql,
  { entry_id, what, member_id, post_id }: store.AppealRow,
  { decision, now, by }: { decision: store.AppealDecision; now: Date; by: string | null },
): Promise<boolean> {
  const isOpen = await store.settleAppeal(trx, entry_id, { decision, decided_at: now, decided_by: by })
  if (!isOpen) return false
  const [[entry], { posts, members }] = await Promise.all([
    entriesByIds(trx, [entry_id]),
    standingsOf(trx, { postIds: post_id === null ? [] : [post_id], memberIds: [member_id] }),
  ])
  const accountId = members.get(member_id)?.account_id
  if (!accountId) return true
  const post = posts.get(post_id ?? '')
  await notify(room.notifications, trx, {
    type: appealNotice,
    accountIds: [accountId],
    once: `forum-appeal:${entry_id}:${now.getTime()}`,
    group: groupOf(entry_id),
    values: {
      decision,
      about: what === 'member_ban' ? 'ban' : what === 'member_silence' ? 'silence' : 'post',
      object: entry?.object_name ?? nobody,
    },
    path: post?.topic_state === 'visible' ? postPlace(post.topic_id, post.post_number) : page.forum,
  })
  return true
}

const groupOf = (entryId: string) => `appeal:${entryId}`
