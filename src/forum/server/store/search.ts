import type { Sql } from '../../../kit/server/database.ts'
import type { Stretch } from '../../../kit/server/page.ts'
import { inShapes, query } from '../../../kit/server/statement.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import type { Piece } from '../../../kit/shared/rich-text.ts'
import type { searchForum } from '../../contract.ts'
import { authorOf } from './topics.ts'

export type FoundPostRow = Omit<AnswerBody<typeof searchForum>[number], 'excerpt'> & { content: Piece[] }

export interface PostSearch {
  q: string
  category: string | null
  lang: string | null
}

/** This many newest posts are searched first, without the index: for common words it would collect hundreds of thousands. */
const newest = 20_000
/** With more matches than this, posts are scanned from the newest: sorting the matches would take longer. */
const sortedAtMost = 2000

/** How many of the newest posts match, counted up to `cap`, and whether there are older posts. */
export async function countNewest(
  db: Sql,
  wanted: PostSearch,
  cap: number,
): Promise<{ found: number; hasOlder: boolean }> {
  const rows = await query<{ found: number; hasOlder: boolean }>(
    db,
    newestCount({ category: wanted.category !== null, lang: wanted.lang !== null }),
    { ...wanted, newest, cap },
  )
  return rows[0]!
}

/** How many visible posts match, counted up to `cap`. */
export async function countMatchingPosts(db: Sql, { q }: PostSearch, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (
      select from forum_posts p where p.state = 'visible' and p.doc @@ (select forum_query($q))
        and (select t.state = 'visible' from forum_topics t where t.topic_id = p.topic_id)
      limit $cap) found`,
    { q, cap },
  )
  return rows[0]!.count
}

interface Shape {
  category: boolean
  lang: boolean
  after: boolean
  where: 'in the newest' | 'in all, common' | 'in all, rare'
}

// The function behind `@@`. PostgreSQL uses no index for it, so it scans the posts from the newest.
const scanned = 'ts_match_vq(p.doc, (select forum_query($q)))'

// topics are looked up for posts that have the words only; a join would read all topics first
const newestCount = inShapes(
  (shape: { category: boolean; lang: boolean }) => `
    select (
      select count(*) from (
        select from (
          select topic_id, lang, doc from forum_posts where state = 'visible'
          order by created_at desc, post_id desc limit $newest
        ) p where ${scanned} ${shape.lang ? 'and p.lang = $lang' : ''}
          and (select t.state = 'visible' ${shape.category ? 'and t.category = $category' : ''}
            from forum_topics t where t.topic_id = p.topic_id)
        limit $cap
      ) counted) as found,
      exists (
        select from forum_posts where state = 'visible' order by created_at desc, post_id desc offset $newest limit 1
      ) as "hasOlder"`,
)

const after = (shape: Shape) => (shape.after ? 'and (p.created_at, p.post_id) < ($at::timestamptz, $id::uuid)' : '')
const statement = inShapes(
  (shape: Shape) => `select p.post_id, p.topic_id, p.post_number, t.category, t.title, p.lang, p.created_at, p.content,
      ${authorOf('a')} as author
    from (
      select p.* from ${
        shape.where === 'in the newest'
          ? `(select * from forum_posts p where p.state = 'visible' ${after(shape)}
              order by p.created_at desc, p.post_id desc limit $newest)`
          : 'forum_posts'
      } p join forum_topics t using (topic_id)
      where p.state = 'visible' and t.state = 'visible'
        and ${shape.where === 'in all, rare' ? 'p.doc @@ (select forum_query($q))' : scanned}
        ${shape.category ? 'and t.category = $category' : ''} ${shape.lang ? 'and p.lang = $lang' : ''} ${after(shape)}
      order by p.created_at desc, p.post_id desc limit $limit offset $offset
    ) p join forum_topics t using (topic_id) join forum_members a on a.member_id = p.author_id
    order by p.created_at desc, p.post_id desc`,
)

/**
 * Posts with all words, newest first.
 * @param count how many posts match, from `countMatchingPosts`; null: searches only the newest posts after `page.after`
 */
export function searchPosts(
  db: Sql,
  wanted: PostSearch,
  count: number | null,
  { after, ...page }: Stretch,
): Promise<FoundPostRow[]> {
  const inAll = (count ?? 0) > sortedAtMost ? ('in all, common' as const) : ('in all, rare' as const)
  const shape = {
    category: wanted.category !== null,
    lang: wanted.lang !== null,
    after: after !== null,
    where: count === null ? ('in the newest' as const) : inAll,
  }
  return query<FoundPostRow>(db, statement(shape), { ...wanted, ...after, ...page, newest })
}

export const searchCountCap = sortedAtMost + 1
