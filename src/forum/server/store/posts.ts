import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Piece } from '../../../kit/shared/rich-text.ts'
import { columnsOf, type RowOf, type WrittenRow } from '../../../kit/shared/thing.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import type { Author, getMember, getMine } from '../../contract.ts'
import { postFields, type PostFields } from '../../post.ts'
import { authorOf } from './topics.ts'

type PostsTable = Selectable<DB['forum_posts']>

/** Instants as ISO texts. */
export interface PostRow extends RowOf<PostFields, PostsTable> {
  author: Author
}

const stored = columnsOf(postFields).map((name) => `p.${name}`)
export const postColumns = `${stored.join(', ')}, ${authorOf('a')} as author`
const authors = 'join forum_members a on a.member_id = p.author_id'

/** Posts in any state with numbers from `from` to `to`, in their order. `unseenOf`: only this author's that others do not see. */
export async function postsBetween(
  db: Sql,
  topicId: string,
  from: number,
  to: number,
  unseenOf: string | null = null,
): Promise<PostRow[]> {
  const unseen = `and p.author_id = $unseenOf and p.state in ('waiting', 'hidden', 'rejected')`
  return query<PostRow>(
    db,
    `select ${postColumns} from forum_posts p ${authors}
    where p.topic_id = $topicId and p.post_number between $from and $to ${unseenOf === null ? '' : unseen}
    order by p.post_number limit 100`,
    { topicId, from, to, unseenOf },
  )
}

/** Posts in any state; at most 100. */
export async function postsByIds(db: Sql, postIds: string[]): Promise<PostRow[]> {
  return query<PostRow>(
    db,
    `select ${postColumns} from forum_posts p ${authors} where p.post_id = any($postIds::uuid[]) limit 100`,
    { postIds },
  )
}

export async function findPost(db: Sql, postId: string): Promise<PostRow | undefined> {
  const [row] = await postsByIds(db, [postId])
  return row
}

/** The states of a post and of its topic. */
export async function statesOf(
  trx: Sql,
  topicId: string,
  number: number,
): Promise<{ topic: string; post: string } | undefined> {
  return trx
    .selectFrom('forum_posts as p')
    .innerJoin('forum_topics as t', 't.topic_id', 'p.topic_id')
    .select(['t.state as topic', 'p.state as post'])
    .where('p.topic_id', '=', topicId)
    .where('p.post_number', '=', number)
    .executeTakeFirst()
}

export async function authorOfPost(db: Sql, postId: string): Promise<string | null> {
  const row = await db.selectFrom('forum_posts').select('author_id').where('post_id', '=', postId).executeTakeFirst()
  return row?.author_id ?? null
}

/** Locks the post until the transaction ends. */
export async function lockPost(trx: Sql, postId: string) {
  return trx
    .selectFrom('forum_posts')
    .select([
      'post_id',
      'topic_id',
      'post_number',
      'author_id',
      'created_at',
      'edited_at',
      'state',
      'body',
      'lang',
      'image_name',
      'reason',
    ])
    .$narrowType<Pick<PostRow, 'state' | 'lang'>>()
    .where('post_id', '=', postId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks all posts of a topic, in the order of their ids. */
export async function lockPostsOf(trx: Sql, topicId: string): Promise<void> {
  await sql`select from forum_posts where topic_id = ${topicId} order by post_id for no key update`.execute(trx)
}

export interface NewPost extends WrittenRow<PostFields, PostsTable> {
  post_id: string
  topic_id: string
  post_number: number
  author_id: string
  created_at: Date
  state: 'visible' | 'waiting'
  content: Piece[]
  body_hash: Buffer
  sent_key: Buffer | null
  /** The topic's title for its first post, which is also found by it; else empty. */
  title: string
  plain: string
}

export async function insertPost(trx: Sql, { title, plain, content, ...post }: NewPost): Promise<void> {
  await trx
    .insertInto('forum_posts')
    .values({ ...post, content: JSON.stringify(content), doc: docOf(title, plain) })
    .execute()
}

const docOf = (title: string, plain: string) => sql<string>`
  setweight(to_tsvector('simple', search_fold(${title})), 'A') || setweight(to_tsvector('simple', search_fold(${plain})), 'D')`

export async function changeText(
  trx: Sql,
  postId: string,
  change: Pick<NewPost, 'body' | 'content' | 'lang' | 'body_hash' | 'title' | 'plain'> & { edited_at?: Date },
): Promise<void> {
  const { content, title, plain, ...rest } = change
  await trx
    .updateTable('forum_posts')
    .set({ ...rest, content: JSON.stringify(content), doc: docOf(title, plain) })
    .where('post_id', '=', postId)
    .execute()
}

/** Deletes the content of a post everywhere, also in the search and the history. */
export async function emptyPost(trx: Sql, postId: string): Promise<void> {
  await trx.deleteFrom('forum_revisions').where('post_id', '=', postId).execute()
  await trx
    .updateTable('forum_posts')
    .set({
      state: 'deleted',
      body: '',
      content: '[]',
      image_name: null,
      doc: '',
      body_hash: Buffer.alloc(0),
      reason: null,
    })
    .where('post_id', '=', postId)
    .execute()
}

export async function changePost(
  trx: Sql,
  postId: string,
  change: Updateable<DB['forum_posts']> & { state?: PostRow['state'] },
): Promise<void> {
  await trx.updateTable('forum_posts').set(change).where('post_id', '=', postId).execute()
}

export type FirstPost = Pick<PostsTable, 'post_id' | 'created_at'> & Pick<PostRow, 'state'>

/** Locks the first post of a topic. Lock order: posts before their topics. */
export async function lockFirstPost(trx: Sql, topicId: string): Promise<FirstPost | undefined> {
  return trx
    .selectFrom('forum_posts')
    .select(['post_id', 'state', 'created_at'])
    .where('topic_id', '=', topicId)
    .where('post_number', '=', 1)
    .forNoKeyUpdate()
    .$castTo<FirstPost>()
    .executeTakeFirst()
}

/** `is_public`: the version was public, and its author replaced it. */
export async function insertRevision(
  trx: Sql,
  revision: Insertable<DB['forum_revisions']> & { is_public: boolean },
): Promise<void> {
  await trx.insertInto('forum_revisions').values(revision).execute()
}

/** The version before the last change. */
export async function latestRevision(
  db: Sql,
  postId: string,
): Promise<{ revision_id: string; body: string } | undefined> {
  return db
    .selectFrom('forum_revisions')
    .select(['revision_id', 'body'])
    .where('post_id', '=', postId)
    .orderBy('replaced_at', 'desc')
    .orderBy('revision_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Makes the history visible to staff alone: it may have the words that a moderator removed. */
export async function closeHistory(trx: Sql, postId: string): Promise<void> {
  await trx.updateTable('forum_revisions').set({ is_public: false }).where('post_id', '=', postId).execute()
}

/** Whether a moderator has ever changed the text. */
export async function wasCorrected(trx: Sql, postId: string, authorId: string): Promise<boolean> {
  const found = await trx
    .selectFrom('forum_revisions')
    .select('revision_id')
    .where('post_id', '=', postId)
    .where('replaced_by', '<>', authorId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Earlier versions, newest first, at most 50. `all`: also those that were never public. */
export async function revisionsOf(db: Sql, postId: string, { all }: { all: boolean }) {
  return query<{ revision_id: string; replaced_at: string; body: string; replaced_by: Author }>(
    db,
    `select r.revision_id, r.replaced_at, r.body, ${authorOf('a')} as replaced_by
    from forum_revisions r join forum_members a on a.member_id = r.replaced_by
    where r.post_id = $postId and (r.is_public or $all::boolean) order by r.replaced_at desc limit 50`,
    { postId, all },
  )
}

/** The author's post that was sent with this key. */
export async function findSent(db: Sql, authorId: string, sentKey: Buffer) {
  return db
    .selectFrom('forum_posts')
    .select(['post_id', 'topic_id'])
    .where('author_id', '=', authorId)
    .where('sent_key', '=', sentKey)
    .executeTakeFirst()
}

/** Whether the author has written this text since then. */
export async function hasWritten(db: Sql, authorId: string, bodyHash: Buffer, since: Date): Promise<boolean> {
  const found = await db
    .selectFrom('forum_posts')
    .select('post_id')
    .where('author_id', '=', authorId)
    .where('created_at', '>', since)
    .where('body_hash', '=', bodyHash)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How many others have written this text since then, counted up to ten. */
export async function othersWhoWrote(db: Sql, authorId: string, bodyHash: Buffer, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select distinct author_id from (
        select author_id from forum_posts
        where body_hash = ${bodyHash} and created_at > ${since} and author_id <> ${authorId} limit 100) latest
      limit 10) others`.execute(db)
  return rows[0]!.count
}

/** Topics and replies that the author has written since then. */
export async function writtenSince(
  db: Sql,
  authorId: string,
  since: Date,
): Promise<{ topics: number; replies: number }> {
  const { rows } = await sql<{ topics: number; replies: number }>`
    select count(*) filter (where post_number = 1) as topics, count(*) filter (where post_number > 1) as replies
    from forum_posts where author_id = ${authorId} and created_at >= ${since}`.execute(db)
  return rows[0]!
}

/** Whether the author has a visible post (other than `besides`). */
export async function hasVisiblePost(db: Sql, authorId: string, besides: string | null = null): Promise<boolean> {
  const found = await db
    .selectFrom('forum_posts')
    .select('post_id')
    .where('author_id', '=', authorId)
    .where('state', '=', 'visible')
    .$if(besides !== null, (all) => all.where('post_id', '<>', besides!))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The author's latest visible posts; at most `limit`. */
export async function latestOf(db: Sql, authorId: string, limit: number) {
  return query<Omit<AnswerBody<typeof getMember>['latest'][number], 'excerpt'> & { content: Piece[] }>(
    db,
    `select p.topic_id, p.post_number, t.title, t.category, p.created_at, p.content
    from forum_posts p join forum_topics t using (topic_id)
    where p.author_id = $authorId and p.state = 'visible' and t.state = 'visible'
    order by p.created_at desc, p.post_id desc limit $limit`,
    { authorId, limit },
  )
}

/** The author's waiting posts, and topics that were hidden or rejected (no list leads to them); newest first. */
export async function waitingOf(db: Sql, authorId: string, limit: number) {
  return query<AnswerBody<typeof getMine>['waiting'][number]>(
    db,
    `select p.topic_id, p.post_number, t.title, p.state from forum_posts p join forum_topics t using (topic_id)
    where p.author_id = $authorId and (p.state = 'waiting' and t.state in ('visible', 'waiting')
      or p.post_number = 1 and p.state in ('hidden', 'rejected') and t.state = 'hidden' and t.hidden_with_post)
    order by p.created_at desc, p.post_id desc limit $limit`,
    { authorId, limit },
  )
}

/** Updates the title in the search vector of the first post. */
export async function reindexTitle(trx: Sql, topicId: string, title: string): Promise<void> {
  await sql`
    update forum_posts set doc = setweight(to_tsvector('simple', search_fold(${title})), 'A') || ts_filter(doc, '{d}')
    where topic_id = ${topicId} and post_number = 1 and state <> 'deleted'`.execute(trx)
}

/** Content of the visible first posts of these topics, by topic. */
export async function firstPostsOf(db: Sql, topicIds: string[]): Promise<Map<string, Piece[]>> {
  const rows = await query<{ topic_id: string; content: Piece[] }>(
    db,
    `select topic_id, content from forum_posts
    where topic_id = any($topicIds::uuid[]) and post_number = 1 and state = 'visible'`,
    { topicIds },
  )
  return new Map(rows.map(({ topic_id, content }) => [topic_id, content]))
}
