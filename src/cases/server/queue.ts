import type { listForumQueue } from '../contract.ts'
import { countQueued, membersByIds, postsByIds, queuedPosts, topicAuthors } from '../../forum/server/forum.ts'
import type { Sql } from '../../kit/server/database.ts'
import { pageByTime } from '../../kit/server/page.ts'
import { privateAddress } from '../../kit/server/upload-keys.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { entriesByIds, pageOfEntries, type EntryRow } from '../../staff/server/staff.ts'
import type { CaseRoom } from './room.ts'
import * as store from './store.ts'

type PageQuery = CheckedInput<typeof listForumQueue>['query']

const appealsShown = 100

/** Posts and appeals that wait for a decision. */
export async function countWaiting(db: Sql, cap: number): Promise<number> {
  const [posts, appeals] = await Promise.all([countQueued(db, cap), store.openAppeals(db, appealsShown)])
  return Math.min(posts + appeals.length, cap)
}

/** Posts that wait for approval or were flagged, whole, oldest first. */
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

const forumActions = ['moderate-post', 'moderate-topic', 'merge-topic', 'moderate-member', 'decide-appeal']

/** What moderators did in the forum, newest first. */
export const listForumLog = ({ db }: CaseRoom, query: PageQuery) =>
  pageOfEntries(db, query, { actions: forumActions }, async (rows) =>
    (await entriesWithNames(db, rows)).map(({ entry, appeal }) => ({
      ...entry,
      appeal: appeal?.appeal ?? null,
      appeal_decision: appeal?.decision ?? null,
    })),
  )

/** Those that nobody has decided yet, oldest first; one about a post with what it says now. */
export async function listAppeals({ db, forum }: CaseRoom) {
  const ids = (await store.openAppeals(db, appealsShown)).map(({ entry_id }) => entry_id)
  const told = await entriesWithNames(db, await entriesByIds(db, ids))
  return told.map(({ entry, post, appeal }) => ({
    ...entry,
    body: post?.body ?? null,
    content: post?.content ?? null,
    lang: post?.lang ?? null,
    image_url: post?.image_name == null ? null : privateAddress(forum, post.image_name),
    edited_at: post?.edited_at ?? null,
    appeal: appeal!.appeal!,
    appealed_at: appeal!.appealed_at,
  }))
}

/** Entries as the forum tells them: who did what to whom, and where; at most 100. */
async function entriesWithNames(db: Sql, rows: EntryRow[]) {
  const idsOf = (kind: string) => rows.flatMap((row) => (row.object_kind === kind ? (row.object_id ?? []) : []))
  const [posts, topics, members, appeals] = await Promise.all([
    postsByIds(db, idsOf('post')),
    topicAuthors(db, idsOf('topic')),
    membersByIds(db, [...idsOf('member'), ...rows.flatMap(({ account_id }) => account_id ?? [])]),
    store.appealsAgainst(
      db,
      rows.map(({ entry_id }) => entry_id),
    ),
  ])
  const known = members.map(({ account_id, ...author }) => ({ account_id, author }))
  return rows.map(({ entry_id, at, actor, account_id, object_kind, object_id, object_name, after, reason }) => {
    const post = posts.find(({ post_id }) => object_kind === 'post' && post_id === object_id)
    const isTopic = object_kind === 'topic'
    const moderator = known.find((each) => account_id !== null && each.account_id === account_id)?.author
    const concerned =
      post?.author ??
      topics.find(({ topic_id }) => isTopic && topic_id === object_id)?.author ??
      known.find(({ author }) => object_kind === 'member' && author.member_id === object_id)?.author
    return {
      entry: {
        action_id: entry_id,
        at,
        moderator: moderator ?? {
          member_id: account_id ?? entry_id,
          handle: null,
          name: actor,
          role: 'moderator' as const,
        },
        action: String(after?.['what']),
        object: object_name,
        member: concerned ?? null,
        reason,
        topic_id: isTopic ? String(after?.['into'] ?? object_id) : (post?.topic_id ?? null),
        post_id: post?.post_id ?? null,
        post_number: post?.post_number ?? null,
      },
      post,
      appeal: appeals.get(entry_id),
    }
  })
}
