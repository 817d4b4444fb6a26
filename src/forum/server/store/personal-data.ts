import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

type Rows = Record<string, unknown>[]

/** Rows of one person, by table; at most 10,000 each. */
export async function exportOf(db: Sql, accountId: string): Promise<Record<string, Rows>> {
  const member = sql`(select member_id from forum_members where account_id = ${accountId})`
  const rows = async (statement: ReturnType<typeof sql>) => (await statement.execute(db)).rows as Rows
  return {
    forum_members: await rows(sql`
      select handle, display_name, joined_at, topics_written, replies_written, posts_read, likes_given, likes_received,
        has_redeemed, silenced_until, banned_until
      from forum_members where account_id = ${accountId}`),
    forum_topics: await rows(sql`
      select topic_id, category, title, tags, lang, created_at, state from forum_topics
      where author_id = ${member} order by created_at limit 10000`),
    forum_posts: await rows(sql`
      select post_id, topic_id, post_number, created_at, edited_at, state, reason, lang, image_name, body from forum_posts
      where author_id = ${member} order by created_at limit 10000`),
    // also pictures without a post
    forum_images: await rows(sql`
      select image_name, created_at, post_id from forum_images where member_id = ${member}
      order by created_at limit 10000`),
    // earlier versions of the person's posts
    forum_revisions: await rows(sql`
      select r.post_id, r.replaced_at, r.body from forum_revisions r join forum_posts p using (post_id)
      where p.author_id = ${member} order by r.replaced_at limit 10000`),
    forum_likes: await rows(sql`
      select post_id, liked_at from forum_likes where member_id = ${member} order by liked_at limit 10000`),
    forum_flags: await rows(sql`
      select post_id, kind, note, state, created_at from forum_flags where member_id = ${member} limit 10000`),
    forum_reads: await rows(sql`
      select topic_id, read_to, mode, changed_at from forum_reads where member_id = ${member} limit 10000`),
    forum_blocks: await rows(sql`
      select m.handle, b.blocked_at from forum_blocks b join forum_members m on m.member_id = b.blocked_id
      where b.member_id = ${member} limit 10000`),
  }
}

export async function hasPosts(db: Sql, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from forum_posts p join forum_members m on m.member_id = p.author_id
    where m.account_id = ${accountId} limit 1`.execute(db)
  return rows.length > 0
}

/** Ids that decisions of moderators may be about: the member, and their topics and posts; at most 10,000. */
export async function moderatedOf(db: Sql, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as (select member_id from forum_members where account_id = ${accountId})
    select member_id as id from own
    union all select topic_id from forum_topics join own on author_id = member_id
    union all select post_id from forum_posts join own on author_id = member_id limit 10000`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the rows that count the person's likes and flags, in the order of likes: members, then posts, by id. */
async function lockMarked(trx: Sql, accountId: string): Promise<void> {
  const member = sql`(select member_id from forum_members where account_id = ${accountId})`
  await sql`
    select from forum_members where account_id = ${accountId} or member_id in (
      select p.author_id from forum_likes l join forum_posts p using (post_id) where l.member_id = ${member})
    order by member_id for no key update`.execute(trx)
  await sql`
    select from forum_posts where post_id in (
      select post_id from forum_likes where member_id = ${member}
      union select post_id from forum_flags where member_id = ${member})
    order by post_id for no key update`.execute(trx)
}

async function dropLikes(trx: Sql, accountId: string): Promise<void> {
  await sql`
    with gone as (
      delete from forum_likes where member_id = (select member_id from forum_members where account_id = ${accountId})
      returning post_id),
    liked as (
      update forum_posts p set like_count = greatest(0, p.like_count - 1) from gone where p.post_id = gone.post_id
      returning p.author_id)
    update forum_members m set likes_received = greatest(0, m.likes_received - of.likes)
    from (select author_id, count(*) as likes from liked group by author_id) of
    where m.member_id = of.author_id`.execute(trx)
}

/** Posts that only these flags had hidden then wait for approval, so that moderators still decide about them. */
async function dropFlags(trx: Sql, accountId: string): Promise<void> {
  const { rows } = await sql<{ post_id: string }>`
    delete from forum_flags where member_id = (select member_id from forum_members where account_id = ${accountId})
    returning post_id`.execute(trx)
  const ids = rows.map(({ post_id }) => post_id)
  if (ids.length === 0) return
  await sql`
    update forum_posts p set open_flags = (
      select count(*) from forum_flags f where f.post_id = p.post_id and f.state in ('open', 'wip'))
    where p.post_id = any(${ids}::uuid[])`.execute(trx)
  await sql`
    with waiting as (
      update forum_posts set state = 'waiting'
      where post_id = any(${ids}::uuid[]) and state = 'hidden' and reason is null and open_flags = 0
      returning topic_id, post_number)
    update forum_topics t set state = 'waiting', hidden_with_post = false from waiting
    where t.topic_id = waiting.topic_id and waiting.post_number = 1 and t.state = 'hidden' and t.hidden_with_post`.execute(
    trx,
  )
}

/**
 * Posts stay, by a deleted user. Likes, flags, reading positions, blocks and earlier versions of posts are deleted. So are pictures
 * without a post, or of a deleted, rejected or hidden post, but not of one with open flags: moderators still need those.
 */
export async function anonymise(trx: Sql, accountId: string): Promise<void> {
  const member = sql`(select member_id from forum_members where account_id = ${accountId})`
  await lockMarked(trx, accountId)
  await dropLikes(trx, accountId)
  await dropFlags(trx, accountId)
  await sql`delete from forum_reads where member_id = ${member}`.execute(trx)
  await sql`delete from forum_blocks where member_id = ${member} or blocked_id = ${member}`.execute(trx)
  await sql`
    delete from forum_revisions
    where post_id in (select post_id from forum_posts where author_id = ${member})`.execute(trx)
  await sql`
    update forum_posts set image_name = null
    where author_id = ${member} and state in ('deleted', 'rejected', 'hidden') and open_flags = 0
      and image_name is not null`.execute(trx)
  // marked as due: the nightly job deletes the files
  await sql`
    update forum_images i set post_id = null, created_at = 'epoch'
    where member_id = ${member}
      and not exists (select from forum_posts p where p.post_id = i.post_id and p.image_name = i.image_name)`.execute(
    trx,
  )
  await sql`
    update forum_members set account_id = null, handle = null, display_name = null, role = 'user'
    where account_id = ${accountId}`.execute(trx)
}
