import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import { plainOf } from '../../kit/server/markdown.ts'
import { Page } from '../../kit/server/page.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, totalCap } from '../../kit/shared/input.ts'
import type { searchForum as searchForumEndpoint } from '../contract.ts'
import { excerptOf } from './excerpt.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** Posts with all words of the query, newest first; no words, no posts. */
export async function searchForum({ db }: ForumRoom, query: CheckedInput<typeof searchForumEndpoint>['query']) {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const wanted = { q: query.q ?? '', category: query.category ?? null, lang: query.lang ?? null }
  const page = { after: after && { at: after[0], id: after[1] }, limit: limit + 1, offset: query.offset ?? 0 }
  const near = await store.searchPosts(db, wanted, null, page)
  if (near.length > limit) {
    const { found, hasOlder } = await store.countNewest(db, wanted, totalCap + 1)
    return foundPage(near, wanted, limit, { count: Math.min(found, totalCap), capped: found > totalCap || hasOlder })
  }
  const all = await store.countMatchingPosts(db, wanted, store.searchCountCap)
  const rows = await store.searchPosts(db, wanted, all, page)
  // `all` ignores category and language, so it is an upper bound; on the last page the posts are counted
  const isNarrowed = wanted.category !== null || wanted.lang !== null
  const ends = rows.length <= limit && !after && (rows.length > 0 || page.offset === 0)
  const count = ends ? page.offset + rows.length : all
  return foundPage(rows, wanted, limit, {
    count: Math.min(count, totalCap),
    capped: count > totalCap || (isNarrowed && !ends),
  })
}

function foundPage(
  rows: store.FoundPostRow[],
  { q }: store.PostSearch,
  limit: number,
  total: { count: number; capped: boolean },
) {
  const shown = rows.slice(0, limit).map(({ content, ...row }) => ({ ...row, excerpt: excerptOf(plainOf(content), q) }))
  const last = shown.at(-1)
  return new Page(shown, total, rows.length > limit && last ? writeCursor([last.created_at, last.post_id]) : null)
}
