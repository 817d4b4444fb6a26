import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import { columnsOf, type RowOf } from '../../../kit/shared/thing.ts'
import { listedFields, type ListedFields } from '../../business.ts'
import { isNamed, namedValues, type NameMatch } from './named.ts'
import { openingColumns, type OpeningRow } from './opening-rows.ts'
import type { BusinessesTable } from './profile.ts'
import { isShown } from './suspended.ts'

export interface ListedRow extends OpeningRow, RowOf<ListedFields, BusinessesTable> {
  name_sorted: string
  live_deals: number
  latitude: number | null
  longitude: number | null
}

/** SQL: number of live deals of merchant `b` at `$now`. */
export const liveDeals = `(select count(*) from deals d
  where d.business_id = b.business_id and is_live(d.state, d.sold_out, d.starts_at, d.over_at, $now))`

/** A place in the order A–Z. */
interface NamePlace {
  name: string
  id: string
}

/** The columns of `ListedRow`, of merchant `b`. */
export const listedColumns = `${columnsOf(listedFields)
  .map((column) => `b.${column}`)
  .join(', ')}, b.name_sorted,
  ${liveDeals} as live_deals, ${openingColumns('b', 'b.hours_known')}, b.latitude, b.longitude`

/** Statement for list rows of the merchants that `rows` selects, by name. */
const listedByName = (rows: string) => `
  select ${listedColumns} from (${rows}) b order by b.name_sorted collate "C", b.business_id`

/** Public merchants by name: after the place `after`, from the letter `from` on, or the last ones before the place `before`. */
export async function listBusinesses(
  db: Sql,
  {
    named,
    after = null,
    before = null,
    from,
    offset = 0,
    limit,
    now,
  }: {
    named: NameMatch | null
    after?: NamePlace | null
    before?: NamePlace | null
    from?: string | undefined
    offset?: number | undefined
    limit: number
    now: Date
  },
): Promise<ListedRow[]> {
  const place = before ?? after
  const [past, direction] = before ? ['<', 'desc'] : ['>', 'asc']
  return query<ListedRow>(
    db,
    listedByName(`
      select * from businesses b
      where ${isShown} and ${isNamed(named)}
        ${from === undefined ? '' : 'and b.name_sorted collate "C" >= $from'}
        ${place ? `and (b.name_sorted collate "C", b.business_id) ${past} ($name, $id::uuid)` : ''}
      order by b.name_sorted collate "C" ${direction}, b.business_id ${direction}
      limit $limit offset $offset`),
    { now, ...namedValues(named), from, ...place, limit, offset },
  )
}

/** Public merchants by id, in order of name. */
export async function findBusinesses(db: Sql, businessIds: readonly string[], now: Date): Promise<ListedRow[]> {
  const rows = `select * from businesses b where b.business_id = any($businessIds::uuid[]) and ${isShown}`
  return query<ListedRow>(db, listedByName(rows), { now, businessIds: [...businessIds] })
}

const alphabet = [...'abcdefghijklmnopqrstuvwxyz']

/** The first letters of names, '' for names before A. One index lookup per letter. */
export async function firstLetters(db: Sql): Promise<string[]> {
  const rows = await query<{ letter: string }>(
    db,
    `select l.letter
    from unnest($letters::text[], $until::text[]) with ordinality l (letter, until, at),
      lateral (
        select from businesses b
        where ${isShown} and b.name_sorted collate "C" >= l.letter and b.name_sorted collate "C" < l.until
        order by b.name_sorted collate "C" limit 1
      ) first
    order by l.at`,
    { letters: ['', ...alphabet], until: [...alphabet, '{'] },
  )
  return rows.map(({ letter }) => letter)
}

export async function countBusinesses(db: Sql, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from businesses b where ${isShown} limit $cap) counted`,
    { cap },
  )
  return rows[0]!.count
}

/** Businesses for the sitemap, the newest first, and when each last changed. */
export async function listBusinessPages(db: Sql, limit: number): Promise<{ id: string; updated_at: string }[]> {
  return query(
    db,
    `select b.business_id as id, b.updated_at from businesses b where ${isShown} order by b.business_id desc limit $limit`,
    { limit },
  )
}
