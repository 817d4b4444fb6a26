import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { totalCap } from '../../../kit/shared/input.ts'
import { isShown } from './suspended.ts'

/** Whom a typed name finds. */
export interface Named {
  /** As a text-search query, see `business_query`; '' when nothing searchable was typed. */
  words: string
  /** null: more than `totalCap`. */
  ids: string[] | null
}

export async function namedBusinesses(db: Sql, typed: string): Promise<Named> {
  const words = (await spelledWords(db, typed)) ?? (await businessQuery(db, typed))
  const found = await query<{ business_id: string }>(
    db,
    `select b.business_id from businesses b where b.name_doc @@ $words::tsquery and ${isShown} limit $most`,
    { words, most: totalCap + 1 },
  )
  return { words, ids: found.length > totalCap ? null : found.map(({ business_id }) => business_id) }
}

async function businessQuery(db: Sql, typed: string): Promise<string> {
  const rows = await query<{ words: string | null }>(db, 'select business_query($typed)::text as words', { typed })
  return rows[0]!.words ?? ''
}

/** The same where names have each word, or one that begins with it, so that none alike are looked for; else null. */
async function spelledWords(db: Sql, typed: string): Promise<string | null> {
  const rows = await query<{ words: string | null }>(
    db,
    `select case when spelled then coalesce(business_query($typed)::text, '') end as words
    from (
      select not exists(
        select from (
          select left(term, 40) as term
          from regexp_split_to_table(trim(search_fold(left($typed, 200))), ' ') with ordinality t (term, place)
          where term <> '' order by place limit 8
        ) terms
        where length(term) >= 3 and term !~ '^\\d+$' and not coalesce(
          starts_with((select word from business_words where word ~>=~ term order by word using ~<~ limit 1), term), false)
      ) as spelled offset 0
    ) typed`,
    { typed },
  )
  return rows[0]!.words
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
