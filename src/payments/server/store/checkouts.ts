import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Interval, PaidTier } from '../../policy.ts'

export interface Checkout {
  checkout_id: string
  business_id: string
  provider: 'stripe' | 'test'
  what: 'subscription' | 'promotion'
  tier: PaidTier | null
  interval: Interval | null
  amount_rappen: number
  status: 'opening' | 'open' | 'complete' | 'expired'
  session_id: string | null
  url: string | null
  created_at: Date
  expires_at: Date
}

const columns = sql`checkout_id, business_id, provider, what, tier, pay_interval as interval, amount_rappen, status,
  session_id, url, created_at, expires_at`

export async function checkoutUnderWay(db: Sql, businessId: string): Promise<Checkout | undefined> {
  const { rows } = await sql<Checkout>`
    select ${columns} from checkouts
    where business_id = ${businessId} and status in ('opening', 'open')`.execute(db)
  return rows[0]
}

export async function findCheckout(db: Sql, checkoutId: string): Promise<Checkout | undefined> {
  const { rows } = await sql<Checkout>`select ${columns} from checkouts where checkout_id = ${checkoutId}`.execute(db)
  return rows[0]
}

export async function insertCheckout(
  trx: Sql,
  checkout: Omit<Checkout, 'status' | 'session_id' | 'url'>,
): Promise<void> {
  const { interval: pay_interval, ...row } = checkout
  await trx
    .insertInto('checkouts')
    .values({ ...row, pay_interval, status: 'opening' })
    .execute()
}

/** Stores the provider's page. @returns false: the checkout is over */
export async function openCheckout(
  db: Sql,
  checkoutId: string,
  at: { sessionId: string; url: string; expiresAt: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update checkouts set status = 'open', session_id = ${at.sessionId}, url = ${at.url}, expires_at = ${at.expiresAt}
    where checkout_id = ${checkoutId}
      and (status = 'opening' or (status = 'open' and session_id = ${at.sessionId}))`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** A complete checkout does not become expired. @returns true: something changed */
export async function endCheckout(db: Sql, checkoutId: string, status: 'complete' | 'expired'): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update checkouts set status = ${status}
    where checkout_id = ${checkoutId} and status <> ${status} and status <> 'complete'`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
