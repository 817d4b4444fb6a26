import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { totalCap } from '../../../kit/shared/input.ts'
import { isShown } from './suspended.ts'

/** The businesses that a typed name finds. */
export interface NameMatch {
  /** Text-search query, see `business_query`; '': nothing searchable was typed. */
  words: string
  /** null: more than `totalCap`. */
  ids: string[] | null
}

export async function namedBusinesses(db: Sql, typed: string): Promise<NameMatch> {
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

/** The query without similar words, if each typed word begins a word of a name; else null. */
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
 * SQL condition for a name search: by ids if few match. If very many match, a list finds some wherever it reads in its own order;
 * the `case` keeps the planner from using the text index, with which it would collect and sort all of them first.
 */
export function isNamed(named: NameMatch | null) {
  if (!named) return 'true'
  return named.ids
    ? 'b.business_id = any($ids::uuid[])'
    : 'case when b.name_doc @@ $words::tsquery then true else false end'
}

export const namedValues = (named: NameMatch | null) => ({ ids: named?.ids, words: named?.words })
