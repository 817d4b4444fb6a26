import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { ForumCategory } from '../../contract.ts'
import { countFlags } from './marks.ts'
import { authorOf, type AuthorRow } from './topics.ts'
import { postColumns, type PostRow } from './posts.ts'

export interface QueuedRow extends PostRow {
  title: string
  category: ForumCategory
  flags: {
    kind: 'spam' | 'offensive' | 'off_topic' | 'unsafe' | 'illegal' | 'other'
    note: string | null
    counts: boolean
    state: 'open' | 'wip' | 'resolved' | 'rejected'
    by: string | null
  }[]
}

/** The first part is that of the index `forum_posts_to_review`. */
const queued = `from forum_posts p where (p.state = 'waiting' or p.open_flags > 0) and p.state <> 'deleted'`
/** Deleted first posts of topics that wait all the same, because others have replied. */
const left = `from forum_topics t join forum_posts p on p.topic_id = t.topic_id and p.post_number = 1
  where t.state = 'waiting' and p.state = 'deleted'`

/** Posts that wait for approval or have open flags, and topics that wait without their first, oldest first, after the keyset `after`. */
export async function queuedPosts(
  db: Sql,
  page: { after: { at: string; id: string } | null; limit: number; offset: number },
): Promise<QueuedRow[]> {
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
      union all select p.* ${left} ${beyond}
    ) p join forum_members a on a.member_id = p.author_id join forum_topics t using (topic_id)
    order by p.created_at, p.post_id limit $limit offset $offset`,
    { ...page.after, limit: page.limit, offset: page.offset, reach: page.offset + page.limit },
  )
}

export async function countQueued(db: Sql, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select 1 ${queued} union all select 1 ${left} limit $cap) queued`,
    { cap },
  )
  return rows[0]!.count
}

/** Open flags of a post become taken up, or these and those that were taken up are decided; answers their ids. */
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

/** These flags of a post wait for a decision again. */
export async function reopenFlags(trx: Sql, postId: string, flagIds: string[]): Promise<void> {
  if (flagIds.length === 0) return
  await sql`
    update forum_flags set state = 'open', decided_at = null
    where post_id = ${postId} and flag_id = any(${flagIds}::uuid[])`.execute(trx)
  await countFlags(trx, postId)
}

export interface NewAction {
  action_id: string
  at: Date
  moderator_id: string
  action: string
  topic_id: string | null
  post_id: string | null
  member_id: string | null
  object: string
  reason: string | null
}

export async function insertAction(trx: Sql, action: NewAction): Promise<void> {
  await trx.insertInto('forum_moderation').values(action).execute()
}

export interface LogRow {
  action_id: string
  at: string
  action: string
  object: string
  reason: string | null
  topic_id: string | null
  post_id: string | null
  post_number: number | null
  appeal: string | null
  appealed_at: string | null
  appeal_decision: 'upheld' | 'overturned' | 'closed' | null
  moderator: AuthorRow
  member: AuthorRow | null
}

export interface AppealRow extends LogRow {
  body: string | null
  content: PostRow['content'] | null
  lang: PostRow['lang'] | null
  image_name: string | null
  edited_at: string | null
}

const logColumns = `l.action_id, l.at, l.action, l.object, l.reason, l.topic_id, l.post_id, p.post_number, l.appeal, l.appealed_at,
  l.appeal_decision, ${authorOf('a')} as moderator, case when m.member_id is not null then ${authorOf('m')} end as member`
const logJoins = `join forum_members a on a.member_id = l.moderator_id left join forum_members m on m.member_id = l.member_id
  left join forum_posts p on p.post_id = l.post_id`

/** What moderators did, newest first, after the keyset `after`. */
export async function listActions(
  db: Sql,
  page: { after: { at: string; id: string } | null; limit: number; offset: number },
): Promise<LogRow[]> {
  const beyond = page.after ? 'where (l.at, l.action_id) < ($at::timestamptz, $id::uuid)' : ''
  return query<LogRow>(
    db,
    `select ${logColumns} from forum_moderation l ${logJoins} ${beyond}
    order by l.at desc, l.action_id desc limit $limit offset $offset`,
    { ...page.after, limit: page.limit, offset: page.offset },
  )
}

export async function countActions(db: Sql, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from forum_moderation limit $cap) counted`,
    { cap },
  )
  return rows[0]!.count
}

/** Appeals that nobody has decided yet, oldest first; those about a post with what it says now. */
export async function openAppeals(db: Sql, limit: number): Promise<AppealRow[]> {
  return query<AppealRow>(
    db,
    `select ${logColumns}, p.body, p.content, p.lang, p.image_name, p.edited_at from forum_moderation l ${logJoins}
    where l.appealed_at is not null and l.appeal_decision is null order by l.appealed_at, l.action_id limit $limit`,
    { limit },
  )
}

/** The latest of these actions against somebody (of one post, or of themselves), whatever became of it. */
export async function latestAction(trx: Sql, memberId: string, actions: string[], postId: string | null) {
  return trx
    .selectFrom('forum_moderation')
    .select(['action_id', 'action', 'appealed_at'])
    .where('member_id', '=', memberId)
    .where('action', 'in', actions)
    .$if(postId !== null, (q) => q.where('post_id', '=', postId))
    .orderBy('at', 'desc')
    .orderBy('action_id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function putAppeal(trx: Sql, actionId: string, appeal: string, now: Date): Promise<void> {
  await trx
    .updateTable('forum_moderation')
    .set({ appeal, appealed_at: now })
    .where('action_id', '=', actionId)
    .execute()
}

/** The post or the member that a decision is about. */
export async function aboutOf(db: Sql, actionId: string) {
  return db
    .selectFrom('forum_moderation')
    .select(['post_id', 'member_id'])
    .where('action_id', '=', actionId)
    .executeTakeFirst()
}

/** Decides an appeal that is still open; undefined where there is none. */
export async function settleAppeal(trx: Sql, actionId: string, decision: 'upheld' | 'overturned', now: Date) {
  return trx
    .updateTable('forum_moderation')
    .set({ appeal_decision: decision, appeal_decided_at: now })
    .where('action_id', '=', actionId)
    .where('appealed_at', 'is not', null)
    .where('appeal_decision', 'is', null)
    .returning(['action', 'at', 'post_id', 'topic_id', 'member_id', 'object'])
    .executeTakeFirst()
}

/**
 * Open appeals against these decisions, of one post or about the person: what was decided holds no more. Answers the ids of
 * the decisions. `closed`: nobody took it back, it ended by itself.
 */
export async function closeAppeals(
  trx: Sql,
  memberId: string,
  actions: string[],
  postId: string | null,
  { decision, now }: { decision: 'overturned' | 'closed'; now: Date },
): Promise<string[]> {
  const rows = await trx
    .updateTable('forum_moderation')
    .set({ appeal_decision: decision, appeal_decided_at: now })
    .where('member_id', '=', memberId)
    .where('post_id', 'is not distinct from', postId)
    .where('action', 'in', actions)
    .where('appealed_at', 'is not', null)
    .where('appeal_decision', 'is', null)
    .returning('action_id')
    .execute()
  return rows.map(({ action_id }) => action_id)
}

/** What was closed so is open again, because the decision holds again. Answers which. */
export async function reopenAppeals(trx: Sql, actionIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ action_id: string }>`
    update forum_moderation set appeal_decision = null, appeal_decided_at = null
    where action_id = any(${actionIds}::uuid[]) and appeal is not null and appeal_decision = 'overturned'
    returning action_id`.execute(trx)
  return rows.map(({ action_id }) => action_id)
}

/** Closes open appeals about what holds no more, the oldest first. Answers the ids of the decisions. */
export async function closeSettled(trx: Sql, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ action_id: string }>`
    with settled as (
      select l.action_id, case
          when l.post_id is not null then case p.state when 'deleted' then 'closed' when 'visible' then 'overturned' end
          when l.action = 'member_silence' then
            case when m.silenced_until is null then 'overturned' when m.silenced_until <= ${now} then 'closed' end
          when l.action = 'member_ban' and m.banned_until is null then 'overturned'
        end as decision
      from forum_moderation l left join forum_posts p on p.post_id = l.post_id
        left join forum_members m on m.member_id = l.member_id
      where l.appealed_at is not null and l.appeal_decision is null order by l.appealed_at)
    update forum_moderation l set appeal_decision = s.decision, appeal_decided_at = ${now}
    from (select * from settled where decision is not null limit ${limit}) s
    where l.action_id = s.action_id and l.appealed_at is not null and l.appeal_decision is null
    returning l.action_id`.execute(trx)
  return rows.map(({ action_id }) => action_id)
}

/** What became of these appeals, and whose they were; the place of the post where its topic can be seen. */
export async function decidedAppeals(trx: Sql, actionIds: string[]) {
  if (actionIds.length === 0) return []
  return query<{
    action_id: string
    account_id: string
    action: string
    decision: string
    object: string
    topic_id: string | null
    post_number: number | null
  }>(
    trx,
    `select l.action_id, m.account_id, l.action, l.appeal_decision as decision, l.object, t.topic_id, p.post_number
    from forum_moderation l join forum_members m on m.member_id = l.member_id
      left join forum_posts p on p.post_id = l.post_id
      left join forum_topics t on t.topic_id = p.topic_id and t.state = 'visible'
    where l.action_id = any($actionIds::uuid[]) and l.appeal_decision is not null and m.account_id is not null`,
    { actionIds },
  )
}

export async function setMemberBars(
  trx: Sql,
  memberId: string,
  bars: { silenced_until?: Date | null; banned_until?: Date | null },
): Promise<void> {
  await trx.updateTable('forum_members').set(bars).where('member_id', '=', memberId).execute()
}

/**
 * The posts of one topic go to the end of another: their numbers grow by `by`, so links to them can follow. Who watched or muted
 * the topic does so with the other, unless they chose for that one.
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
  // who came by a link to a topic that went there before goes on as well
  await sql`
    update forum_topics set merged_into = ${into}, merged_by_number = merged_by_number + ${by}
    where merged_into = ${from}`.execute(trx)
}
