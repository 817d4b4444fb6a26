import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

export async function addPicture(db: Sql, picture: { name: string; businessId: string; now: Date }): Promise<void> {
  await sql`
    insert into merchant_pictures (name, business_id, made_at)
    values (${picture.name}, ${picture.businessId}, ${picture.now})`.execute(db)
}

export async function isPictureOf(db: Sql, businessId: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from merchant_pictures where name = ${name} and business_id = ${businessId}`.execute(db)
  return rows.length > 0
}

/** How many pictures a merchant uploaded since then. */
export async function countPictures(db: Sql, businessId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from merchant_pictures
    where business_id = ${businessId} and made_at > ${since}`.execute(db)
  return rows[0]!.count
}

export async function picturesOf(db: Sql, businessId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from merchant_pictures where business_id = ${businessId} limit 100000`.execute(db)
  return rows.map(({ name }) => name)
}

/** Pictures older than `before` that no business shows, oldest first, after the keyset `after`. */
export async function unshownPictures(
  db: Sql,
  before: Date,
  after: { made_at: Date; name: string } | null,
  limit: number,
): Promise<{ name: string; made_at: Date }[]> {
  const { rows } = await sql<{ name: string; made_at: Date }>`
    select p.name, p.made_at from merchant_pictures p join businesses b using (business_id)
    where p.made_at < ${before}
      and (${after === null} or (p.made_at, p.name) > (${after?.made_at ?? before}::timestamptz, ${after?.name ?? ''}))
      and ('/uploads/' || p.name) is distinct from b.logo_url
      and ('/uploads/' || p.name) is distinct from b.logo_copy
      and not ('/uploads/' || p.name) = any(b.photos)
    order by p.made_at, p.name limit ${limit}`.execute(db)
  return rows
}

export async function deletePicture(db: Sql, name: string): Promise<void> {
  await sql`delete from merchant_pictures where name = ${name}`.execute(db)
}
