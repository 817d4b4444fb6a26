import { countQueued, membersByIds, postsByIds, queuedPosts } from '../../forum/server/forum.ts'
import type { Sql } from '../../kit/server/database.ts'
import { pageByTime, type PageQuery } from '../../kit/server/page.ts'
import { privateAddress } from '../../kit/server/upload-keys.ts'
import { entriesByIds } from '../../staff/server/staff.ts'
import type { CaseRoom } from './room.ts'
import * as store from './store.ts'

const appealsShown = 100

/** Counts posts and appeals that wait for a decision, up to `cap`. */
export async function countWaiting(db: Sql, cap: number): Promise<number> {
  const [posts, appeals] = await Promise.all([countQueued(db, cap), store.openAppeals(db, appealsShown)])
  return Math.min(posts + appeals.length, cap)
}

/** Posts that wait for approval or were flagged, oldest first. */
export const listQueue = ({ db, forum }: CaseRoom, query: PageQuery) =>
  pageByTime(
    query,
    {
      list: (stretch) => queuedPosts(db, stretch),
      count: (cap) => countQueued(db, cap),
      placeOf: ({ created_at, post_id }) => [created_at, post_id],
    },
    (rows) =>
      rows.map(({ title, category, flags, image_name, ...post }) => ({
        post: { ...post, image_url: image_name === null ? null : privateAddress(forum, image_name) },
        title,
        category,
        flags,
      })),
  )

/** Open appeals, oldest first, each with the decision and the post's current text. */
export async function listAppeals({ db, forum }: CaseRoom) {
  const appeals = await store.openAppeals(db, appealsShown)
  const entryIds = appeals.map(({ entry_id }) => entry_id)
  const entries = await entriesByIds(db, entryIds)
  const postIds = appeals.flatMap(({ post_id }) => post_id ?? [])
  const authorIds = appeals.map(({ member_id }) => member_id)
  const moderatorIds = entries.flatMap(({ account_id }) => account_id ?? [])
  const [posts, members] = await Promise.all([
    postsByIds(db, postIds),
    membersByIds(db, [...authorIds, ...moderatorIds]),
  ])
  const known = members.map(({ account_id, ...author }) => ({ account_id, author }))
  return entries.map(({ entry_id, at, actor, account_id, object_name, after, reason }) => {
    const { appeal, appealed_at, member_id, post_id } = appeals.find((each) => each.entry_id === entry_id)!
    const post = posts.find((each) => each.post_id === post_id)
    const moderator = known.find((each) => account_id !== null && each.account_id === account_id)?.author
    return {
      action_id: entry_id,
      at,
      // Staff who never wrote in the forum are no members of it.
      moderator: moderator ?? {
        member_id: account_id ?? entry_id,
        handle: null,
        name: actor,
        role: 'moderator' as const,
      },
      action: String(after?.['what']),
      object: object_name,
      member: known.find(({ author }) => author.member_id === member_id)?.author ?? null,
      reason,
      topic_id: post?.topic_id ?? null,
      post_id: post?.post_id ?? null,
      post_number: post?.post_number ?? null,
      body: post?.body ?? null,
      content: post?.content ?? null,
      lang: post?.lang ?? null,
      image_url: post?.image_name == null ? null : privateAddress(forum, post.image_name),
      edited_at: post?.edited_at ?? null,
      appeal: appeal!,
      appealed_at,
    }
  })
}
