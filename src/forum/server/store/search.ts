import type { Sql } from '../../../kit/server/database.ts'
import { inShapes, query } from '../../../kit/server/statement.ts'
import type { ForumCategory, Piece, PostLanguage } from '../../contract.ts'
import { authorOf, type AuthorRow } from './topics.ts'

export interface FoundRow {
  post_id: string
  topic_id: string
  post_number: number
  category: ForumCategory
  title: string
  lang: PostLanguage
  created_at: string
  content: Piece[]
  author: AuthorRow
}

export interface ForumWanted {
  q: string
  category: string | null
  lang: string | null
}

/** Up to here all posts with the words are sorted; of more, the newest posts are looked through one after the other. */
const sortedAtMost = 2000

/** How many posts have the words, counted no further than `cap`. */
export async function countPostsWith(db: Sql, { q }: ForumWanted, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (
      select from forum_posts p where p.state = 'visible' and p.doc @@ (select forum_query($q)) limit $cap) found`,
    { q, cap },
  )
  return rows[0]!.count
}

interface Shape {
  category: boolean
  lang: boolean
  after: boolean
  isCommon: boolean
}

// `ts_match_vq` is what `@@` stands for, but no index serves it: so the newest posts are walked
const statement = inShapes(
  (shape: Shape) => `select p.post_id, p.topic_id, p.post_number, t.category, t.title, p.lang, p.created_at, p.content,
      ${authorOf('a')} as author
    from (
      select p.* from forum_posts p join forum_topics t using (topic_id)
      where p.state = 'visible' and t.state = 'visible'
        and ${shape.isCommon ? 'ts_match_vq(p.doc, (select forum_query($q)))' : 'p.doc @@ (select forum_query($q))'}
        ${shape.category ? 'and t.category = $category' : ''} ${shape.lang ? 'and p.lang = $lang' : ''}
        ${shape.after ? 'and (p.created_at, p.post_id) < ($at::timestamptz, $id::uuid)' : ''}
      order by p.created_at desc, p.post_id desc limit $limit offset $offset
    ) p join forum_topics t using (topic_id) join forum_members a on a.member_id = p.author_id
    order by p.created_at desc, p.post_id desc`,
)

/** Posts with all words, newest first. `count`: how many have them, as far as counted. */
export async function searchPosts(
  db: Sql,
  wanted: ForumWanted,
  count: number,
  page: { after: { at: string; id: string } | null; limit: number; offset: number },
): Promise<FoundRow[]> {
  const shape: Shape = {
    category: wanted.category !== null,
    lang: wanted.lang !== null,
    after: page.after !== null,
    isCommon: count > sortedAtMost,
  }
  return query<FoundRow>(db, statement(shape), { ...wanted, ...page.after, limit: page.limit, offset: page.offset })
}

export const searchCountCap = sortedAtMost + 1
