import { sql, type Selectable } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Stretch } from '../../kit/server/page.ts'
import { query } from '../../kit/server/statement.ts'
import { columnsOf, type RowOf, type WrittenRow } from '../../kit/shared/thing.ts'
import { ratingFields, type RatingFields } from '../rating.ts'

type RatingsTable = Selectable<DB['ratings']>

export interface RatingRow extends RowOf<RatingFields, RatingsTable> {
  business_id: string
  account_id: string | null
  /** Hidden by staff. */
  hidden_at: string | null
  /** Deleted by its author after staff had hidden it. */
  withdrawn_at: string | null
}

const names = [...columnsOf(ratingFields), 'business_id', 'account_id', 'hidden_at', 'withdrawn_at']
/** For a row `r` of ratings. */
const columns = names.map((name) => `r.${name}`).join(', ')

/** Ratings of other accounts, newest first; `accountId` null: of all accounts. */
export async function listRatings(
  db: Sql,
  dealId: string,
  { accountId, after, offset, limit }: Stretch & { accountId: string | null },
): Promise<RatingRow[]> {
  return query<RatingRow>(
    db,
    `select ${columns} from ratings r
    where r.deal_id = $dealId::uuid and r.hidden_at is null and ($accountId::uuid is null or r.account_id is distinct from $accountId::uuid)
      and ($at::timestamptz is null or (r.updated_at, r.rating_id) < ($at::timestamptz, $id::uuid))
    order by r.updated_at desc, r.rating_id desc offset $offset limit $limit`,
    { dealId, accountId, at: after?.at ?? null, id: after?.id ?? null, offset, limit },
  )
}

export async function findOwn(db: Sql, dealId: string, accountId: string): Promise<RatingRow | undefined> {
  const rows = await query<RatingRow>(
    db,
    `select ${columns} from ratings r where r.deal_id = $dealId::uuid and r.account_id = $accountId::uuid`,
    { dealId, accountId },
  )
  return rows[0]
}

/** The columns that are written whenever the author saves the rating. */
export interface RatingContent extends Omit<WrittenRow<RatingFields, RatingsTable>, 'reply'> {
  author_name: string
  verified: boolean
}

/** Inserts or changes the account's one rating of the deal. A change keeps the merchant's reply. */
export async function saveRating(
  trx: Sql,
  of: Pick<RatingRow, 'rating_id' | 'deal_id' | 'business_id'> & { account_id: string },
  content: RatingContent,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('ratings')
    .values({ ...of, ...content, created_at: now, updated_at: now })
    .onConflict((own) =>
      own.columns(['deal_id', 'account_id']).doUpdateSet({ ...content, updated_at: now, withdrawn_at: null }),
    )
    .execute()
}

export async function deleteRating(trx: Sql, ratingId: string): Promise<void> {
  await sql`delete from ratings where rating_id = ${ratingId}`.execute(trx)
}

/** Deletes comment and reply; the row stays hidden. */
export async function withdrawRating(trx: Sql, ratingId: string, now: Date): Promise<void> {
  await sql`
    update ratings set comment = null, reply = null, replied_at = null, withdrawn_at = ${now}
    where rating_id = ${ratingId}`.execute(trx)
}

export async function setReply(db: Sql, ratingId: string, reply: string | null, now: Date): Promise<void> {
  await sql`
    update ratings set reply = ${reply}, replied_at = ${reply === null ? null : now}
    where rating_id = ${ratingId}`.execute(db)
}

export async function setVerified(db: Sql, dealId: string, accountId: string, verified: boolean): Promise<void> {
  await sql`
    update ratings set verified = ${verified}
    where deal_id = ${dealId} and account_id = ${accountId} and verified <> ${verified}`.execute(db)
}

export async function insertReport(db: Sql, ratingId: string, accountId: string, now: Date): Promise<void> {
  await sql`
    insert into rating_reports (rating_id, account_id, created_at) values (${ratingId}, ${accountId}, ${now})
    on conflict do nothing`.execute(db)
}

/** How many ratings of each number of stars the business has, without the deals in `leftOut`. */
export async function starsOf(
  db: Sql,
  businessId: string,
  leftOut: string[],
): Promise<{ stars: number; count: number }[]> {
  return query(
    db,
    `select stars, count(*) as count from ratings
    where business_id = $businessId::uuid and hidden_at is null and deal_id <> all($leftOut::uuid[]) group by stars`,
    { businessId, leftOut },
  )
}

export async function latestOf(db: Sql, businessId: string, leftOut: string[], limit: number): Promise<RatingRow[]> {
  return query<RatingRow>(
    db,
    `select ${columns} from ratings r
    where r.business_id = $businessId::uuid and r.hidden_at is null and r.deal_id <> all($leftOut::uuid[])
    order by r.updated_at desc, r.rating_id desc limit $limit`,
    { businessId, leftOut, limit },
  )
}

/** For the visitor's export. */
export async function ratingsOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  const own = names.filter((name) => !['account_id', 'reply', 'replied_at'].includes(name))
  return query(
    db,
    `select ${own.join(', ')} from ratings where account_id = $accountId order by created_at limit 10000`,
    { accountId },
  )
}

export async function reportsOf(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select rating_id, created_at from rating_reports where account_id = ${accountId}
    order by created_at limit 10000`.execute(db)
  return rows
}

/** For the merchant's export. */
export async function repliesOf(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select rating_id, deal_id, reply, replied_at from ratings
    where business_id = ${businessId} and reply is not null order by replied_at limit 10000`.execute(db)
  return rows
}

/** Deletes name and comment. Stars stay: the mean of the deal includes them. Withdrawn ratings are deleted. */
export async function makeAnonymous(trx: Sql, accountId: string): Promise<void> {
  await sql`delete from ratings where account_id = ${accountId} and withdrawn_at is not null`.execute(trx)
  await sql`
    update ratings set account_id = null, author_name = null, comment = null
    where account_id = ${accountId}`.execute(trx)
  await sql`delete from rating_reports where account_id = ${accountId}`.execute(trx)
}

/** Counts and sums ratings of the deals by hour, until `until`; those before `from` in one row with `hour_s` null. */
export async function ratingsByHour(
  db: Sql,
  dealIds: string[],
  from: Date,
  until: Date,
): Promise<{ hour_s: number | null; count: number; stars: number }[]> {
  return query(
    db,
    `select case when created_at >= $from::timestamptz then floor(extract(epoch from created_at) / 3600)::float8 * 3600 end
      as hour_s, count(*)::int as count, sum(stars)::int as stars
    from ratings where deal_id = any($dealIds::uuid[]) and hidden_at is null and created_at < $until::timestamptz group by 1`,
    { dealIds, from, until },
  )
}

/** Also hidden ones. */
export async function ratingsByIds(db: Sql, ratingIds: string[]): Promise<RatingRow[]> {
  if (ratingIds.length === 0) return []
  return query<RatingRow>(db, `select ${columns} from ratings r where r.rating_id = any($ratingIds::uuid[])`, {
    ratingIds,
  })
}

export async function setHidden(trx: Sql, ratingId: string, at: Date | null): Promise<void> {
  await sql`update ratings set hidden_at = ${at} where rating_id = ${ratingId}`.execute(trx)
}
