import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { totalCap } from '../../../kit/shared/input.ts'

/** Whom a typed name finds. */
export interface Named {
  /** As a text-search query, see `business_query`; '' when nothing searchable was typed. */
  words: string
  /** null: more than `totalCap`. */
  ids: string[] | null
}

export async function namedBusinesses(db: Sql, typed: string): Promise<Named> {
  const [asked] = await query<{ words: string | null }>(db, 'select business_query($typed)::text as words', { typed })
  const words = asked?.words ?? ''
  const found = await query<{ business_id: string }>(
    db,
    'select b.business_id from businesses b where b.name_doc @@ $words::tsquery limit $most',
    { words, most: totalCap + 1 },
  )
  return { words, ids: found.length > totalCap ? null : found.map(({ business_id }) => business_id) }
}

/**
 * A few are known by their ids. Very many stand everywhere, so that a list comes across them while it walks in its own
 * order; the planner, which cannot know that, would gather and sort them all, were the condition one that an index serves.
 */
export function isNamed(named: Named | null) {
  if (!named) return 'true'
  return named.ids
    ? 'b.business_id = any($ids::uuid[])'
    : 'case when b.name_doc @@ $words::tsquery then true else false end'
}

export const namedValues = (named: Named | null) => ({ ids: named?.ids, words: named?.words })
