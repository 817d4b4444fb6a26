import { sql, type Insertable, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'

export async function insertGoogleFlow(db: Sql, flow: Insertable<DB['google_flows']>): Promise<void> {
  await db.insertInto('google_flows').values(flow).execute()
}

/** Takes the flow of a state, once. */
export async function takeGoogleFlow(db: Sql, stateHash: Buffer, now: Date) {
  return db
    .deleteFrom('google_flows')
    .where('state_hash', '=', stateHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export type GoogleArrival = Selectable<DB['google_arrivals']>

export async function insertGoogleArrival(db: Sql, arrival: Insertable<DB['google_arrivals']>): Promise<void> {
  await db.insertInto('google_arrivals').values(arrival).execute()
}

export async function findGoogleArrival(db: Sql, codeHash: Buffer, now: Date): Promise<GoogleArrival | undefined> {
  return db
    .selectFrom('google_arrivals')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** @returns false: it was taken before */
export async function takeGoogleArrival(db: Sql, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`delete from google_arrivals where code_hash = ${codeHash} returning 1`.execute(db)
  return rows.length > 0
}

export async function prolongGoogleArrival(db: Sql, codeHash: Buffer, expiresAt: Date): Promise<void> {
  await sql`
    update google_arrivals set expires_at = greatest(expires_at, ${expiresAt}) where code_hash = ${codeHash}`.execute(
    db,
  )
}

export async function findIdentity(db: Sql, subject: string): Promise<{ account_id: string } | undefined> {
  return db
    .selectFrom('identities')
    .select('account_id')
    .where('provider', '=', 'google')
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function linkIdentity(db: Sql, subject: string, accountId: string, now: Date): Promise<void> {
  await sql`delete from identities where provider = 'google' and account_id = ${accountId}`.execute(db)
  await sql`
    insert into identities (provider, subject, account_id, created_at) values ('google', ${subject}, ${accountId}, ${now})
    on conflict (provider, subject) do update set account_id = excluded.account_id`.execute(db)
}

export async function unlinkIdentities(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('identities').where('account_id', '=', accountId).execute()
}
