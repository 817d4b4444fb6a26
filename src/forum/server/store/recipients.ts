import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'

/** Condition on a member `m`: not the author, has not muted the topic or blocked the author. */
const canBeNotified = `m.account_id is not null and m.member_id <> post.author_id
  and not exists (select from forum_blocks b where b.member_id = m.member_id and b.blocked_id = post.author_id)
  and not exists (select from forum_reads r
    where r.member_id = m.member_id and r.topic_id = post.topic_id and r.mode = 'mute')`

/** The author of post number `answered`, and the watchers of the topic. Somebody who is both comes twice: one kind may be turned off. */
export async function listRecipients(
  db: Sql,
  of: { topicId: string; postId: string; answered: number },
): Promise<{ account_id: string; why: 'forum_reply' | 'forum_watched' }[]> {
  return query(
    db,
    `with post as (select topic_id, author_id from forum_posts where post_id = $postId::uuid),
    candidates as (
      select author_id as member_id, 'forum_reply' as why from forum_posts
      where topic_id = $topicId::uuid and post_number = $answered::int
      union all
      select member_id, 'forum_watched' from forum_reads where topic_id = $topicId::uuid and mode = 'watch')
    select m.account_id, candidates.why
    from post, candidates join forum_members m using (member_id)
    where ${canBeNotified} order by m.account_id limit 10001`,
    of,
  )
}

export async function isRecipient(
  db: Sql,
  of: { topicId: string; postId: string; accountId: string },
): Promise<boolean> {
  const rows = await query(
    db,
    `select 1 from forum_posts post, forum_members m
    where post.post_id = $postId::uuid and m.account_id = $accountId::uuid and ${canBeNotified}`,
    of,
  )
  return rows.length > 0
}
