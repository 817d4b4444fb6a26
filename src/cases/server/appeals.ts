import { nothingToAppeal } from '../../forum/contract.ts'
import { findMember as memberOf, postsByIds } from '../../forum/server/forum.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { RequestContext, Caller } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { changesSince, entriesByIds, type EntryRow } from '../../staff/server/staff.ts'
import { appealNotFound } from '../contract.ts'
import { appealableBars, appealablePostDecisions } from '../policy.ts'
import { decide, type LoggedFields } from './decide.ts'
import { findMember } from './members.ts'
import { findPost } from './posts.ts'
import type { CaseRoom } from './room.ts'
import { settle } from './settle-appeals.ts'
import * as store from './store.ts'

/** Appeals once against the latest decision about oneself or one's post, while it holds. @throws `nothing_to_appeal` */
export async function appeal(
  room: CaseRoom,
  who: Caller,
  { post_id, text }: { post_id?: string | undefined; text: string },
): Promise<null> {
  const now = asDate(room.clock.now())
  if (post_id !== undefined && !isUuid(post_id)) throw new Refusal(nothingToAppeal)
  await room.db.transaction().execute(async (trx) => {
    const member = await memberOf(trx, who.accountId)
    if (!member) throw new Refusal(nothingToAppeal)
    const { member_id } = member
    const appealable =
      post_id === undefined ? appealableBars(member, now) : await appealableOfPost(trx, member_id, post_id)
    const found = await latestOf(trx, post_id === undefined ? ['member', member_id] : ['post', post_id], appealable)
    const isNew =
      found &&
      (await store.insertAppeal(trx, {
        entry_id: found.entry_id,
        what: String(found.after['what']),
        member_id,
        post_id: post_id ?? null,
        appeal: text,
        appealed_at: now,
      }))
    if (!isNew) throw new Refusal(nothingToAppeal)
  })
  return null
}

/** The post is not locked: if its state changes at the same moment, the job that closes ended appeals settles this one. */
async function appealableOfPost(trx: Sql, memberId: string, postId: string): Promise<string[]> {
  const [post] = await postsByIds(trx, [postId])
  return post?.author.member_id === memberId ? appealablePostDecisions(post.state) : []
}

const beforeAll = { entry_id: '00000000-0000-0000-0000-000000000000', at: '2000-01-01T00:00:00Z' }

/** The latest of these decisions about the object that was not undone. */
async function latestOf(trx: Sql, [object_kind, object_id]: [string, string], whats: string[]) {
  const all = await changesSince(trx, { ...beforeAll, object_kind, object_id, action: `moderate-${object_kind}` })
  return all.find(({ after }) => whats.includes(String(after['what'])))
}

/**
 * Overturned: the post is visible again, or waits for approval if its author has changed it since, or the member may write again.
 * A later decision about the same thing stays. @throws `appeal_not_found`, `key_used`
 */
export async function decideAppeal(
  room: CaseRoom,
  asking: RequestContext,
  entryId: string,
  decision: 'upheld' | 'overturned',
): Promise<null> {
  if (!isUuid(entryId)) throw new Refusal(appealNotFound)
  const request = { operation: 'decide-appeal', input: { actionId: entryId, decision } }
  return decide(room, asking, request, async (trx, now, by) => {
    const found = (await store.appealsAgainst(trx, [entryId])).get(entryId)
    const [entry] = await entriesByIds(trx, [entryId])
    if (!found || !entry) throw new Refusal(appealNotFound)
    // Lock the post or member first, as all decisions do, or two of them could deadlock.
    const { object_kind: kind, object_id: id, object_name: name } = entry
    const about = await (kind === 'post' ? findPost(room, trx, id!) : findMember(room, trx, id!))
    if (!(await settle(room, trx, found, { decision, now, by }))) throw new Refusal(appealNotFound)
    const lifted = about && liftedFrom(about.fields, entry)
    if (decision === 'overturned' && lifted && !(await isDecidedAnew(trx, entry))) await about.putBack(lifted, {}, now)
    return {
      answer: null,
      done: { action: 'decide-appeal', object: { kind, id, name }, after: { what: `appeal_${decision}` } },
    }
  })
}

/** The fields without this decision; null: the decision no longer holds. */
function liftedFrom({ state, edited_at }: LoggedFields, { object_kind, at, after }: EntryRow): LoggedFields | null {
  if (object_kind === 'member') return { [barOf(after)!]: null }
  if (state !== 'hidden' && state !== 'rejected') return null
  const isChanged = typeof edited_at === 'string' && edited_at > at
  return { state: isChanged ? 'waiting' : 'visible', reason: null }
}

/** Whether an entry about a member concerns their silence or their ban. */
const barOf = (after: LoggedFields | null) =>
  (['silenced_until', 'banned_until'] as const).find((field) => Object.hasOwn(after ?? {}, field))

/** Whether a later entry decided about the same: the same post, or the same kind of bar of the same member. */
async function isDecidedAnew(trx: Sql, entry: EntryRow): Promise<boolean> {
  const bar = barOf(entry.after)
  return (await changesSince(trx, entry)).some(({ after }) => bar === undefined || Object.hasOwn(after, bar))
}
