import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Who } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { notify, withdraw } from '../../notifications/server/notifications.ts'
import { page, postPlace } from '../../site-map.ts'
import { nothingToAppeal } from '../contract.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** Decisions about a post that can be appealed. */
const aboutPosts = ['post_hide', 'post_reject']

/** The one appeal against the latest decision, while that holds. */
export async function appeal(
  room: ForumRoom,
  who: Who,
  { post_id, text }: { post_id?: string | undefined; text: string },
) {
  const now = asDate(room.clock.now())
  if (post_id !== undefined && !isUuid(post_id)) throw new Refusal(nothingToAppeal)
  await room.db.transaction().execute(async (trx) => {
    const member = await store.findMember(trx, who.accountId)
    const actions = member && (await holding(trx, member, post_id, now))
    const action = actions?.[0] && (await store.latestAction(trx, member!.member_id, actions, post_id ?? null))
    if (!action || action.appealed_at) throw new Refusal(nothingToAppeal)
    await store.putAppeal(trx, action.action_id, text, now)
  })
  return null
}

/** Kinds of decisions that still hold: about the post, or about the person. */
async function holding(trx: Sql, member: store.MemberRow, postId: string | undefined, now: Date): Promise<string[]> {
  if (postId !== undefined) {
    // not locked: a decision locks its post first; what changes at the same moment is closed by the job
    const post = await store.findPost(trx, postId)
    return post && (post.state === 'hidden' || post.state === 'rejected') ? aboutPosts : []
  }
  const holds = (until: Date | null) => until !== null && until > now
  return [
    ...(holds(member.silenced_until) ? ['member_silence'] : []),
    ...(holds(member.banned_until) ? ['member_ban'] : []),
  ]
}

/** A post is to be seen again, so there is nothing left to decide about what its author objected to; or it is deleted. */
export const closePostAppeals = async (
  room: ForumRoom,
  trx: Sql,
  post: { post_id: string; author_id: string },
  now: Date,
  decision: 'overturned' | 'closed' = 'overturned',
): Promise<string[]> =>
  told(room, trx, now, await store.closeAppeals(trx, post.author_id, aboutPosts, post.post_id, { decision, now }))

/** The same once somebody is not silenced, or not banned, any more. */
export const closeBarAppeals = async (
  room: ForumRoom,
  trx: Sql,
  memberId: string,
  bar: 'silenced_until' | 'banned_until',
  now: Date,
): Promise<string[]> => {
  const actions = [bar === 'banned_until' ? 'member_ban' : 'member_silence']
  return told(room, trx, now, await store.closeAppeals(trx, memberId, actions, null, { decision: 'overturned', now }))
}

async function told(room: ForumRoom, trx: Sql, now: Date, actionIds: string[]): Promise<string[]> {
  await tellOfAppeals(room, trx, actionIds, now)
  return actionIds
}

/** Those that this decision closed are open again, and nobody was told anything. */
export async function reopenAppeals(room: ForumRoom, trx: Sql, after: Record<string, unknown> | null): Promise<void> {
  for (const id of await store.reopenAppeals(trx, (after?.['appeals'] ?? []) as string[]))
    await withdraw(room.notifications, trx, { group: groupOf(id) })
}

const groupOf = (actionId: string) => `appeal:${actionId}`

/** Who appealed hears what became of it, in the transaction of the decision. */
export async function tellOfAppeals(room: ForumRoom, trx: Sql, actionIds: string[], now: Date): Promise<void> {
  for (const row of await store.decidedAppeals(trx, actionIds))
    await notify(room.notifications, trx, {
      type: 'forum_appeal',
      accountIds: [row.account_id],
      once: `forum-appeal:${row.action_id}:${now.getTime()}`,
      group: groupOf(row.action_id),
      values: {
        decision: row.decision,
        about: row.action === 'member_ban' ? 'ban' : row.action === 'member_silence' ? 'silence' : 'post',
        object: row.object,
      },
      path: row.topic_id === null ? page.forum : postPlace(row.topic_id, row.post_number!),
    })
}

export const closeAppealsJob = 'close-forum-appeals'
const closedAtOnce = 100

/** Appeals about what holds no more: above all silences that ran out. */
export async function closeSettledAppeals(room: ForumRoom): Promise<void> {
  const now = asDate(room.clock.now())
  let closed: string[]
  do {
    closed = await room.db
      .transaction()
      .execute(async (trx) => told(room, trx, now, await store.closeSettled(trx, now, closedAtOnce)))
  } while (closed.length === closedAtOnce)
}
