import { sql, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import { deleteInSteps } from '../../../kit/server/delete-in-steps.ts'
import type { Tier } from '../../../businesses/contract.ts'

export interface Customer {
  business_id: string
  provider: 'stripe' | 'test'
  customer_id: string | null
  /** Customers that the provider no longer knew, the last one last. */
  former_ids: string[]
}

/** Adds the row of a business before its first purchase. With another provider than before it loses its customer id. */
export async function ensureCustomer(
  db: Sql,
  { businessId, provider, now }: { businessId: string; provider: string; now: Date },
): Promise<void> {
  await sql`
    insert into payment_customers (business_id, provider, created_at) values (${businessId}, ${provider}, ${now})
    on conflict (business_id) do update set provider = excluded.provider, customer_id = null
      where payment_customers.provider <> excluded.provider`.execute(db)
}

/** Stores a customer id, unless there is one already. @returns the stored id */
export async function setCustomerId(db: Sql, businessId: string, customerId: string): Promise<string> {
  const { rows } = await sql<{ customer_id: string }>`
    update payment_customers set customer_id = coalesce(customer_id, ${customerId})
    where business_id = ${businessId} returning customer_id`.execute(db)
  return rows[0]!.customer_id
}

export async function findCustomer(db: Sql, businessId: string): Promise<Customer | undefined> {
  const { rows } = await sql<Customer>`
    select business_id, provider, customer_id, former_ids from payment_customers
    where business_id = ${businessId}`.execute(db)
  return rows[0]
}

/** Replaces the customer (null: by none yet) and ends its open checkout, whose page the provider does not know either. */
export async function changeCustomer(
  trx: Sql,
  businessId: string,
  { from, to, now }: { from: string; to: string | null; now: Date },
): Promise<void> {
  await sql`
    update payment_customers set customer_id = ${to}, former_ids = array_append(array_remove(former_ids, ${to}), ${from}),
      changed_at = ${now}
    where business_id = ${businessId} and customer_id = ${from}`.execute(trx)
  await sql`
    update checkouts set status = 'expired'
    where business_id = ${businessId} and status in ('opening', 'open')`.execute(trx)
}

/** Makes a former customer the current one. */
export async function bringBackCustomer(db: Sql, businessId: string, customerId: string): Promise<void> {
  await sql`
    update payment_customers set former_ids = array_remove(former_ids, ${customerId}), customer_id = ${customerId}
    where business_id = ${businessId} and customer_id is null`.execute(db)
}

/** Takes the lock of a business for at most `seconds`, by the database's clock, which all instances share. @returns false: held */
export async function takeTurn(db: Sql, businessId: string, turn: string, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payment_customers set turn_of = ${turn}, turn_until = clock_timestamp() + make_interval(secs => ${seconds})
    where business_id = ${businessId} and (turn_until is null or turn_until < clock_timestamp())`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export async function endTurn(db: Sql, businessId: string, turn: string): Promise<void> {
  await sql`
    update payment_customers set turn_of = null, turn_until = null
    where business_id = ${businessId} and turn_of = ${turn}`.execute(db)
}

/** Locks the business's row until the end of the transaction, so that its standing is computed once at a time. */
export async function lockCustomer(trx: Sql, businessId: string): Promise<void> {
  await sql`select 1 from payment_customers where business_id = ${businessId} for update`.execute(trx)
}

/** Businesses with a current or former customer at the provider, ascending by business id. */
export async function customersAfter(db: Sql, provider: string, after: string, limit: number): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    select business_id, provider, customer_id, former_ids from payment_customers
    where business_id > ${after} and provider = ${provider} and (customer_id is not null or former_ids <> '{}')
    order by business_id limit ${limit}`.execute(db)
  return rows
}

export interface StandingRow extends Omit<Selectable<DB['payment_standings']>, 'business_id'> {
  tier: Tier
}

export async function findStanding(db: Sql, businessId: string): Promise<StandingRow | undefined> {
  const { rows } = await sql<StandingRow>`
    select tier, featured_until, overdue_since, next_change_at from payment_standings
    where business_id = ${businessId}`.execute(db)
  return rows[0]
}

export async function putStanding(trx: Sql, businessId: string, standing: StandingRow): Promise<void> {
  await trx
    .insertInto('payment_standings')
    .values({ business_id: businessId, ...standing })
    .onConflict((known) => known.column('business_id').doUpdateSet(standing))
    .execute()
}

export async function standingsDue(db: Sql, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ business_id: string }>`
    select business_id from payment_standings where next_change_at <= ${now} order by next_change_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ business_id }) => business_id)
}

/** Stores the request under its key, unless the key is known. @returns the stored request; `answer` null: not answered yet */
export async function claimRequest(
  db: Sql,
  request: { businessId: string; key: Buffer; request: Buffer; now: Date },
): Promise<{ request_hash: Buffer; answer: unknown }> {
  const { rows } = await sql<{ request_hash: Buffer; answer: unknown }>`
    insert into payment_requests as r (business_id, key_hash, request_hash, created_at)
    values (${request.businessId}, ${request.key}, ${request.request}, ${request.now})
    on conflict (business_id, key_hash) do update set created_at = r.created_at
    returning request_hash, answer`.execute(db)
  return rows[0]!
}

/** Stores the answer, unless there is one already. @returns the stored answer */
export async function storeAnswer(db: Sql, businessId: string, key: Buffer, answer: unknown): Promise<unknown> {
  const { rows } = await sql<{ answer: unknown }>`
    update payment_requests set answer = coalesce(answer, ${JSON.stringify(answer)}::jsonb)
    where business_id = ${businessId} and key_hash = ${key} returning answer`.execute(db)
  return rows[0]?.answer ?? answer
}

export async function deleteOld(db: Sql, before: { requests: Date; events: Date; checkouts: Date }): Promise<void> {
  await deleteInSteps(db, 'payment_requests', sql`r.created_at < ${before.requests}`)
  await deleteInSteps(db, 'payment_events', sql`r.received_at < ${before.events}`)
  await deleteInSteps(db, 'checkouts', sql`r.created_at < ${before.checkouts} and r.status not in ('opening', 'open')`)
}

/** Deletes all but accounting records. The customer stays, because the event about the end of its subscription is still to come. */
export async function forgetBusiness(trx: Sql, businessId: string): Promise<void> {
  await sql`delete from payment_standings where business_id = ${businessId}`.execute(trx)
  await sql`delete from payment_requests where business_id = ${businessId}`.execute(trx)
  await sql`delete from checkouts where business_id = ${businessId}`.execute(trx)
}

export async function exportOf(db: Sql, businessId: string): Promise<Record<string, Record<string, unknown>[]>> {
  const tables: Record<string, Record<string, unknown>[]> = {}
  for (const [table, [columns, order]] of Object.entries(exported)) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.raw(columns)} from ${sql.table(table)} where business_id = ${businessId}
      order by ${sql.ref(order)} limit 10000`.execute(db)
    tables[table] = rows
  }
  const reversals = await sql<Record<string, unknown>>`
    select r.reversal_id, r.payment_id, r.kind, r.amount_rappen, r.status, r.reversed_at
    from payment_reversals r join payments p using (payment_id)
    where p.business_id = ${businessId} limit 10000`.execute(db)
  return { ...tables, payment_reversals: reversals.rows }
}

const exported: Record<string, [columns: string, order: string]> = {
  payment_standings: ['tier, featured_until, overdue_since, next_change_at', 'business_id'],
  ledger_transactions: ['transaction_id, source, posted_at', 'posted_at'],
  payment_requests: ['created_at', 'created_at'],
  test_provider_objects: ['object_id, kind, due_at', 'object_id'],
  billing_addresses: ['legal_name, address, uid', 'business_id'],
  payment_customers: ['provider, customer_id, former_ids, created_at', 'business_id'],
  subscriptions: [
    `subscription_id, provider_id, tier, pay_interval, status, period_start, period_end, cancel_at_period_end,
      pending_tier, pending_interval, payment_method, ended_at, before_leaving`,
    'as_of',
  ],
  payments: [
    `invoice_id, invoice_no, payment_id, what, amount_rappen, tier, pay_interval, period_start, period_end, paid_at,
      price_rappen, payment_method, vat_rate, vat_rappen, vat_id, issuer, billed_to`,
    'paid_at',
  ],
  checkouts: ['checkout_id, what, tier, pay_interval, amount_rappen, status, created_at', 'created_at'],
}
