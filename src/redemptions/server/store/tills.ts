import { sql, type Insertable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'
import type { Device } from '../../contract.ts'

export interface TillRow extends Omit<Device, 'device_id'> {
  till_id: string
  business_id: string
  pin_hash: string | null
  secret_hash: Buffer | null
}

const columns = `till_id, business_id, name, pin_hash, secret_hash, pin_hash is not null as redeem_only, created_at,
  last_used_at`

export async function listTills(db: Sql, businessId: string, limit: number): Promise<TillRow[]> {
  return query<TillRow>(
    db,
    `select ${columns} from tills where business_id = $businessId::uuid order by created_at, till_id limit $limit`,
    { businessId, limit },
  )
}

export async function findTill(db: Sql, tillId: string): Promise<TillRow | undefined> {
  const rows = await query<TillRow>(db, `select ${columns} from tills where till_id = $tillId::uuid`, { tillId })
  return rows[0]
}

/** False: the business has `most` devices. The lock makes two at once come one after the other. */
export async function insertTill(
  trx: Sql,
  till: Required<Omit<Insertable<DB['tills']>, 'last_used_at'>>,
  most: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`tills ${till.business_id}`}))`.execute(trx)
  const { numAffectedRows } = await sql`
    insert into tills (till_id, business_id, name, pin_hash, secret_hash, created_at)
    select ${till.till_id}::uuid, ${till.business_id}::uuid, ${till.name}, ${till.pin_hash}, ${till.secret_hash}::bytea,
      ${till.created_at}::timestamptz
    where (select count(*) from tills where business_id = ${till.business_id}::uuid) < ${most}`.execute(trx)
  return numAffectedRows === 1n
}

export async function deleteTill(db: Sql, businessId: string, tillId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from tills where till_id = ${tillId} and business_id = ${businessId}`.execute(db)
  return numAffectedRows === 1n
}

export async function noteTillUse(db: Sql, tillId: string, at: Date): Promise<void> {
  await sql`update tills set last_used_at = ${at} where till_id = ${tillId}`.execute(db)
}
