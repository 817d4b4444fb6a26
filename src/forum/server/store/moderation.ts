import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import { query } from '../../../kit/server/statement.ts'
import type { flagKinds } from '../../limits.ts'
import type { Author, ForumCategory } from '../../contract.ts'
import { countFlags } from './marks.ts'
import { postColumns, type PostRow } from './posts.ts'

export interface QueuedRow extends PostRow {
  title: string
  category: ForumCategory
  flags: {
    kind: (typeof flagKinds)[number]
    note: string | null
    counts: boolean
    state: 'open' | 'wip' | 'resolved' | 'rejected'
    by: string | null
  }[]
}

/** The first condition is that of the index `forum_posts_to_review`. */
const queued = `from forum_posts p where (p.state = 'waiting' or p.open_flags > 0) and p.state <> 'deleted'`
/** Deleted first posts of topics that still wait, because others have replied. */
const deletedFirst = `from forum_topics t join forum_posts p on p.topic_id = t.topic_id and p.post_number = 1
  where t.state = 'waiting' and p.state = 'deleted'`

/** Posts that wait or have open flags, and deleted first posts of waiting topics; oldest first, after the keyset `after`. */
export async function queuedPosts(db: Sql, page: Stretch): Promise<QueuedRow[]> {
  const beyond = page.after ? 'and (p.created_at, p.post_id) > ($at::timestamptz, $id::uuid)' : ''
  return query<QueuedRow>(
    db,
    `select ${postColumns}, t.title, t.category,
      coalesce((
        select json_agg(json_build_object(
          'kind', f.kind, 'note', f.note, 'counts', f.counts, 'state', f.state, 'by', m.handle) order by f.created_at)
        from (select * from forum_flags where post_id = p.post_id and state in ('open', 'wip')
          order by created_at limit 50) f
        join forum_members m on m.member_id = f.member_id), '[]') as flags
    from (
      (select p.* ${queued} ${beyond} order by p.created_at, p.post_id limit $reach)
      union all select p.* ${deletedFirst} ${beyond}
    ) p join forum_members a on a.member_id = p.author_id join forum_topics t using (topic_id)
    order by p.created_at, p.post_id limit $limit offset $offset`,
    { ...page.after, limit: page.limit, offset: page.offset, reach: page.offset + page.limit },
  )
}

export async function countQueued(db: Sql, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select 1 ${queued} union all select 1 ${deletedFirst} limit $cap) queued`,
    { cap },
  )
  return rows[0]!.count
}

/** Takes up the open flags of a post (`wip`), or decides its open and taken up ones. @returns their ids */
export async function setFlags(
  trx: Sql,
  postId: string,
  state: 'wip' | 'resolved' | 'rejected',
  now: Date,
): Promise<string[]> {
  const decidedAt = state === 'wip' ? null : now
  const { rows } = await sql<{ flag_id: string }>`
    update forum_flags set state = ${state}, decided_at = ${decidedAt}
    where post_id = ${postId} and (state = 'open' or (state = 'wip' and ${state} <> 'wip')) returning flag_id`.execute(
    trx,
  )
  await countFlags(trx, postId)
  return rows.map(({ flag_id }) => flag_id)
}

export async function reopenFlags(trx: Sql, postId: string, flagIds: string[]): Promise<void> {
  if (flagIds.length === 0) return
  await sql`
    update forum_flags set state = 'open', decided_at = null
    where post_id = ${postId} and flag_id = any(${flagIds}::uuid[])`.execute(trx)
  await countFlags(trx, postId)
}

/** Members by member id or account id; `account_id` is null once the account is deleted. */
export async function membersByIds(db: Sql, ids: string[]): Promise<(Author & { account_id: string | null })[]> {
  return query(
    db,
    `select account_id, member_id, handle, display_name as name, role from forum_members
    where member_id = any($ids::uuid[]) or account_id = any($ids::uuid[])`,
    { ids },
  )
}

/** Bars of a member and, if an appeal is about a post, its state and place. Instants as ISO texts. */
export async function standingOf(db: Sql, of: { member_id: string; post_id: string | null }) {
  const [row] = await query<{
    account_id: string | null
    silenced_until: string | null
    banned_until: string | null
    post_state: PostRow['state'] | null
    topic_id: string | null
    post_number: number | null
    topic_state: string | null
  }>(
    db,
    `select m.account_id, m.silenced_until, m.banned_until, p.state as post_state, p.topic_id, p.post_number,
      t.state as topic_state
    from forum_members m left join forum_posts p on p.post_id = $post_id::uuid left join forum_topics t using (topic_id)
    where m.member_id = $member_id`,
    of,
  )
  return row
}

/**
 * Moves the posts of a topic to the end of another. Their numbers grow by `by`, so links to them can be translated. Watching and
 * muting move too, unless the member has chosen for the other topic.
 */
export async function movePosts(trx: Sql, from: string, into: string, by: number): Promise<void> {
  await sql`
    update forum_posts set topic_id = ${into}, post_number = post_number + ${by}, reply_to = reply_to + ${by}
    where topic_id = ${from}`.execute(trx)
  await sql`
    insert into forum_reads as r (member_id, topic_id, read_to, mode, changed_at)
    select member_id, ${into}::uuid, 0, mode, changed_at from forum_reads
    where topic_id = ${from} and mode <> 'normal' order by member_id
    on conflict (member_id, topic_id) do update set mode = excluded.mode where r.mode = 'normal'`.execute(trx)
  // links to topics that were merged into this one before lead to the other topic too
  await sql`
    update forum_topics set merged_into = ${into}, merged_by_number = merged_by_number + ${by}
    where merged_into = ${from}`.execute(trx)
}
