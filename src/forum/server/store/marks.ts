import { sql, type Insertable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import type { getMine } from '../../contract.ts'

/** False: the member liked the post already. */
export async function insertLike(trx: Sql, postId: string, memberId: string, now: Date): Promise<boolean> {
  const made = await trx
    .insertInto('forum_likes')
    .values({ post_id: postId, member_id: memberId, liked_at: now })
    .onConflict((there) => there.doNothing())
    .returning('post_id')
    .executeTakeFirst()
  return made !== undefined
}

/** False: the member did not like the post. */
export async function deleteLike(trx: Sql, postId: string, memberId: string): Promise<boolean> {
  const gone = await trx
    .deleteFrom('forum_likes')
    .where('post_id', '=', postId)
    .where('member_id', '=', memberId)
    .returning('post_id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function addLikes(trx: Sql, postId: string, by: 1 | -1): Promise<void> {
  await sql`update forum_posts set like_count = greatest(0, like_count + ${by}) where post_id = ${postId}`.execute(trx)
}

/** Of the posts with these numbers: ids of those that the member likes, and ids of the authors whom the member has blocked. */
export async function marksBetween(db: Sql, memberId: string, topicId: string, from: number, to: number) {
  const rows = await query<{ liked: string[]; blocked: string[] }>(
    db,
    `select coalesce(array_agg(p.post_id) filter (where l.post_id is not null), '{}') as liked,
      coalesce(array_agg(distinct p.author_id) filter (where b.blocked_id is not null), '{}') as blocked
    from forum_posts p left join forum_likes l on l.post_id = p.post_id and l.member_id = $memberId::uuid
      left join forum_blocks b on b.blocked_id = p.author_id and b.member_id = $memberId::uuid
    where p.topic_id = $topicId and p.post_number between $from and $to`,
    { memberId, topicId, from, to },
  )
  return rows[0]!
}

export type ReadRow = AnswerBody<typeof getMine>['read'][number]

const reads = (db: Sql, memberId: string) =>
  db
    .selectFrom('forum_reads')
    .select(['topic_id', 'read_to', 'mode'])
    .where('member_id', '=', memberId)
    .$castTo<ReadRow>()

export async function findRead(db: Sql, memberId: string, topicId: string): Promise<ReadRow | undefined> {
  return reads(db, memberId).where('topic_id', '=', topicId).executeTakeFirst()
}

/** The topics that the member read last; at most `limit`. */
export async function latestReads(db: Sql, memberId: string, limit: number): Promise<ReadRow[]> {
  return reads(db, memberId).orderBy('changed_at', 'desc').limit(limit).execute()
}

/** Moves the reading position forward, never back. @returns the position before */
export async function noteRead(
  trx: Sql,
  read: { member_id: string; topic_id: string; read_to: number; changed_at: Date },
): Promise<number> {
  const before = await findRead(trx, read.member_id, read.topic_id)
  await trx
    .insertInto('forum_reads')
    .values(read)
    .onConflict((there) =>
      there.columns(['member_id', 'topic_id']).doUpdateSet({
        read_to: sql`greatest(forum_reads.read_to, excluded.read_to)`,
        changed_at: read.changed_at,
      }),
    )
    .execute()
  return before?.read_to ?? 0
}

export async function setMode(
  db: Sql,
  mark: { member_id: string; topic_id: string; mode: ReadRow['mode']; changed_at: Date },
): Promise<void> {
  await db
    .insertInto('forum_reads')
    .values(mark)
    .onConflict((there) =>
      there.columns(['member_id', 'topic_id']).doUpdateSet({ mode: mark.mode, changed_at: mark.changed_at }),
    )
    .execute()
}

/**
 * One flag for each member and post. A second one changes an open flag; a decided flag is reopened only if the author has edited
 * the post since.
 */
export async function putFlag(trx: Sql, flag: Insertable<DB['forum_flags']>, editedAt: Date | null): Promise<void> {
  const { flag_id, post_id, member_id, kind, note, counts, created_at } = flag
  await sql`
    insert into forum_flags as before (flag_id, post_id, member_id, kind, note, counts, created_at)
    values (${flag_id}, ${post_id}, ${member_id}, ${kind}, ${note}, ${counts}, ${created_at})
    on conflict (post_id, member_id) do update
      set kind = excluded.kind, note = excluded.note, counts = excluded.counts, state = 'open', decided_at = null,
        created_at = case when before.state = 'open' then before.created_at else excluded.created_at end
      where before.state = 'open'
        or before.state in ('resolved', 'rejected')
          and coalesce(before.decided_at, before.created_at) < ${editedAt}::timestamptz`.execute(trx)
}

/** Updates the count of open flags of a post. */
export async function countFlags(trx: Sql, postId: string): Promise<void> {
  await sql`
    update forum_posts set open_flags = (
      select count(*) from forum_flags where post_id = ${postId} and state in ('open', 'wip'))
    where post_id = ${postId}`.execute(trx)
}

/** Accounts whose open flags count towards hiding the post; at most 50. */
export async function countingFlaggers(trx: Sql, postId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('forum_flags as f')
    .innerJoin('forum_members as m', 'm.member_id', 'f.member_id')
    .select('m.account_id')
    .where('f.post_id', '=', postId)
    .where('f.counts', '=', true)
    .where('f.state', 'in', ['open', 'wip'])
    .where('m.account_id', 'is not', null)
    .orderBy('f.created_at')
    .limit(50)
    .execute()
  return rows.flatMap(({ account_id }) => account_id ?? [])
}

/** Number of posts of the author that flags have hidden since then; at most `limit`. */
export async function countHiddenByFlags(trx: Sql, authorId: string, since: Date, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('forum_posts')
    .select('post_id')
    .where('author_id', '=', authorId)
    .where('hidden_by_flags_at', '>', since)
    .limit(limit)
    .execute()
  return rows.length
}
