import { sql, type Selectable, type Updateable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { inShapes, query } from '../../../kit/server/statement.ts'
import { columnsOf, type RowOf, type WrittenRow } from '../../../kit/shared/thing.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import type { Author, listForumCategories } from '../../contract.ts'
import { topicFields, type TopicFields } from '../../topic.ts'

export type TopicsTable = Selectable<DB['forum_topics']>

/** Instants as ISO texts. */
export interface TopicRow extends RowOf<TopicFields, TopicsTable> {
  /** Highest number of a visible post; 0: none. */
  last_visible_number: number
  merged_into: string | null
  merged_by_number: number | null
  hidden_with_post: boolean
  author: Author
  last_author: Author | null
}

export const authorOf = (m: string) =>
  `json_build_object('member_id', ${m}.member_id, 'handle', ${m}.handle, 'name', ${m}.display_name, 'role', ${m}.role)`

const stored = [...columnsOf(topicFields), 'merged_into', 'merged_by_number', 'hidden_with_post']
const columns = `${stored.map((name) => `t.${name}`).join(', ')},
  coalesce((
    select max(seen.post_number) from forum_posts seen where seen.topic_id = t.topic_id and seen.state = 'visible'
  ), 0) as last_visible_number,
  ${authorOf('a')} as author,
  case when l.member_id is not null then ${authorOf('l')} end as last_author`
const authors = `join forum_members a on a.member_id = t.author_id left join forum_members l on l.member_id = t.last_author_id`

export async function findTopic(db: Sql, topicId: string): Promise<TopicRow | undefined> {
  const rows = await query<TopicRow>(
    db,
    `select ${columns} from forum_topics t ${authors} where t.topic_id = $topicId`,
    { topicId },
  )
  return rows[0]
}

/** The fields that `maySeeTopic` needs, and the topic's length. */
export interface TopicState {
  state: TopicRow['state']
  hidden_with_post: boolean
  last_number: number
  author: Pick<Author, 'member_id'>
}

export async function findTopicState(db: Sql, topicId: string): Promise<TopicState | undefined> {
  const [row] = await query<Omit<TopicState, 'author'> & { author_id: string }>(
    db,
    'select state, hidden_with_post, last_number, author_id from forum_topics where topic_id = $topicId',
    { topicId },
  )
  return row && { ...row, author: { member_id: row.author_id } }
}

export interface TopicFilter {
  category: string | null
  tag: string | null
  lang: string | null
  solved: boolean | null
  linked: string | null
}

const shapeOf = (filter: TopicFilter) => ({
  category: filter.category !== null,
  tag: filter.tag !== null,
  lang: filter.lang !== null,
  solved: filter.solved === null ? ('any' as const) : filter.solved ? ('yes' as const) : ('no' as const),
  linked: filter.linked !== null,
})
type FilterShape = ReturnType<typeof shapeOf>

const conditionsOf = (shape: FilterShape) => `t.state = 'visible'
  ${shape.category ? 'and t.category = $category' : ''}
  ${shape.tag ? 'and t.tags @> array[$tag::text]' : ''}
  ${shape.lang ? 'and t.lang = $lang' : ''}
  ${shape.solved === 'any' ? '' : `and t.solved_number is ${shape.solved === 'yes' ? 'not' : ''} null`}
  ${shape.linked ? 'and t.linked_id = $linked::uuid' : ''}`

const orders = {
  latest: {
    order: 't.is_pinned desc, t.last_post_at desc, t.topic_id desc',
    beyond: '(t.is_pinned, t.last_post_at, t.topic_id) < ($pinned::bool, $at::timestamptz, $id::uuid)',
  },
  new: {
    order: 't.created_at desc, t.topic_id desc',
    beyond: '(t.created_at, t.topic_id) < ($at::timestamptz, $id::uuid)',
  },
} as const

const listStatement = inShapes(
  (shape: FilterShape & { sort: keyof typeof orders; after: boolean }) => `select ${columns} from (
      select * from forum_topics t where ${conditionsOf(shape)} ${shape.after ? `and ${orders[shape.sort].beyond}` : ''}
      order by ${orders[shape.sort].order} limit $limit offset $offset
    ) t ${authors} order by ${orders[shape.sort].order}`,
)

/** Visible topics after the keyset `after`. */
export async function listTopics(
  db: Sql,
  filter: TopicFilter,
  page: {
    sort: keyof typeof orders
    after: { pinned: boolean; at: string; id: string } | null
    limit: number
    offset: number
  },
): Promise<TopicRow[]> {
  const statement = listStatement({ ...shapeOf(filter), sort: page.sort, after: page.after !== null })
  return query<TopicRow>(db, statement, { ...filter, ...page.after, limit: page.limit, offset: page.offset })
}

const countStatement = inShapes(
  (shape: FilterShape) =>
    `select count(*) from (select from forum_topics t where ${conditionsOf(shape)} limit $cap) counted`,
)

/** How many there are, counted up to `cap`. */
export async function countTopics(db: Sql, filter: TopicFilter, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(db, countStatement(shapeOf(filter)), { ...filter, cap })
  return rows[0]!.count
}

type CategoryRow = Omit<AnswerBody<typeof listForumCategories>[number], 'staff_only'>

/** One row for each category. Topics are counted up to `cap`. */
export async function categoryRows(db: Sql, categories: readonly string[], cap: number): Promise<CategoryRow[]> {
  return query<CategoryRow>(
    db,
    `select c.category, counted.topic_count, latest.last_post_at, latest.last_topic
    from unnest($categories::text[]) with ordinality as c (category, place)
    cross join lateral (
      select count(*) as topic_count from (
        select from forum_topics t where t.state = 'visible' and t.category = c.category limit $cap) counted_topics) counted
    left join lateral (
      select t.last_post_at, json_build_object('topic_id', t.topic_id, 'title', t.title) as last_topic
      from forum_topics t where t.state = 'visible' and t.category = c.category
      order by t.last_post_at desc limit 1) latest on true
    order by c.place`,
    { categories: [...categories], cap },
  )
}

export interface NewTopic extends WrittenRow<TopicFields, TopicsTable>, Pick<TopicRow, 'linked_kind' | 'linked_id'> {
  topic_id: string
  author_id: string
  state: 'visible' | 'waiting'
}

export async function insertTopic(trx: Sql, topic: NewTopic, now: Date): Promise<void> {
  const first = { created_at: now, updated_at: now, last_post_at: now, last_author_id: topic.author_id }
  await trx
    .insertInto('forum_topics')
    .values({ ...topic, ...first })
    .execute()
}

/** `is_corrected`: a moderator has changed title or tags. `hidden_with_post`: hidden because its first post is, not by itself. */
export type LockedTopic = Omit<TopicsTable, 'state' | 'category'> & Pick<TopicRow, 'state' | 'category'>

/** Locks the topic until the transaction ends; post numbers are given under this lock. */
export async function lockTopic(trx: Sql, topicId: string): Promise<LockedTopic | undefined> {
  return trx
    .selectFrom('forum_topics')
    .selectAll()
    .where('topic_id', '=', topicId)
    .forNoKeyUpdate()
    .$castTo<LockedTopic>()
    .executeTakeFirst()
}

/** Topics that were merged into this one. There, post numbers were smaller by `by`, and went up to `last_number`. */
export async function mergedInto(
  db: Sql,
  topicId: string,
): Promise<{ topic_id: string; by: number; last_number: number }[]> {
  return query(
    db,
    `select topic_id, coalesce(merged_by_number, 0) as by, last_number from forum_topics
    where merged_into = $topicId::uuid order by topic_id limit 1000`,
    { topicId },
  )
}

/**
 * Keeps everybody from replying to these topics until the transaction ends; replies hold the shared lock of their topic. Lock order:
 * replies, then posts, then topics.
 */
export async function lockReplies(trx: Sql, topicIds: string[]): Promise<void> {
  for (const id of topicIds.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`forum replies ${id}`}, 0))`.execute(trx)
}

/** The shared lock of a reply. */
export async function lockRepliesShared(trx: Sql, topicId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`forum replies ${topicId}`}, 0))`.execute(trx)
}

export type TopicChange = Updateable<DB['forum_topics']> & { state?: TopicRow['state']; updated_at: Date }

export async function changeTopic(trx: Sql, topicId: string, change: TopicChange): Promise<void> {
  await trx.updateTable('forum_topics').set(change).where('topic_id', '=', topicId).execute()
}

/** Updates count, last author and last time from the visible posts. Lock the topic first. */
export async function countTopicPosts(trx: Sql, topicId: string): Promise<void> {
  await sql`
    update forum_topics t set
      post_count = (select count(*) from forum_posts where topic_id = t.topic_id and state = 'visible'),
      last_number = (select coalesce(max(post_number), 0) from forum_posts where topic_id = t.topic_id),
      last_post_at = coalesce((
        select created_at from forum_posts where topic_id = t.topic_id and state = 'visible'
        order by post_number desc limit 1), t.created_at),
      last_author_id = (
        select author_id from forum_posts where topic_id = t.topic_id and state = 'visible'
        order by post_number desc limit 1)
    where t.topic_id = ${topicId}`.execute(trx)
}

/** Adds a new last post to the counts of its topic. */
export async function noteNewPost(
  trx: Sql,
  topicId: string,
  post: { number: number; at: Date; authorId: string; isVisible: boolean },
): Promise<void> {
  if (post.isVisible)
    await sql`
      update forum_topics set last_number = ${post.number}, post_count = post_count + 1, last_post_at = ${post.at},
        last_author_id = ${post.authorId}, updated_at = ${post.at}
      where topic_id = ${topicId}`.execute(trx)
  else await trx.updateTable('forum_topics').set({ last_number: post.number }).where('topic_id', '=', topicId).execute()
}

/** At most `limit` visible topics, the newest first. */
export async function listTopicPages(db: Sql, limit: number): Promise<{ id: string; updated_at: string }[]> {
  return query<{ id: string; updated_at: string }>(
    db,
    `select topic_id as id, updated_at from forum_topics where state = 'visible' order by topic_id desc limit $limit`,
    { limit },
  )
}
