import { sql, type Insertable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import type { Plan } from '../../policy.ts'
import type { FactOf } from '../facts.ts'
import type { PaymentState, SubscriptionState } from '../standing.ts'

/** @returns false: the event came before */
export async function insertEvent(
  trx: Sql,
  event: Insertable<DB['payment_events']> & { outcome: 'applied' | 'unused' | 'refused' },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_events')
    .values(event)
    .onConflict((known) => known.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Locks a payment id until the end of the transaction. An advisory lock, because the payment may not be known yet. */
export async function lockPayment(trx: Sql, paymentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${paymentId}`}, 0))`.execute(trx)
}

const columnsOf = (fact: FactOf<'subscription'>) => ({
  tier: fact.tier,
  pay_interval: fact.interval,
  status: fact.status,
  period_start: fact.period_start,
  period_end: fact.period_end,
  cancel_at_period_end: fact.cancel_at_period_end,
  pending_tier: fact.pending?.tier ?? null,
  pending_interval: fact.pending?.interval ?? null,
  payment_method: fact.payment_method,
  ended_at: fact.status === 'canceled' ? (fact.ended_at ?? fact.as_of) : null,
  as_of: fact.as_of,
  snapshot: JSON.stringify(fact),
})

/** @returns false: the subscription is known */
export async function insertSubscription(
  trx: Sql,
  subscription_id: string,
  fact: FactOf<'subscription'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('subscriptions')
    .values({ subscription_id, provider_id: fact.subscription, business_id: fact.business_id, ...columnsOf(fact) })
    .onConflict((known) => known.column('provider_id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Locks a subscription until the end of the transaction. @returns its stored snapshot */
export async function lockSubscription(trx: Sql, providerId: string): Promise<FactOf<'subscription'>> {
  const { snapshot } = await trx
    .selectFrom('subscriptions')
    .select('snapshot')
    .where('provider_id', '=', providerId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return JSON.parse(snapshot) as FactOf<'subscription'>
}

export async function updateSubscription(trx: Sql, fact: FactOf<'subscription'>): Promise<void> {
  await trx.updateTable('subscriptions').set(columnsOf(fact)).where('provider_id', '=', fact.subscription).execute()
}

/** Stores the planned change that the account's deletion is about to remove. */
export async function storePlanBeforeLeaving(
  db: Sql,
  { subscription_id, pending_tier, pending_interval }: SubscriptionState,
): Promise<void> {
  const pending = pending_tier && { tier: pending_tier, interval: pending_interval }
  await sql`
    update subscriptions set before_leaving = ${JSON.stringify({ pending })}::jsonb
    where subscription_id = ${subscription_id}`.execute(db)
}

/** `pending`: the planned change. Null: no deletion has cancelled the plan. */
export async function planBeforeLeaving(db: Sql, subscriptionId: string): Promise<{ pending: Plan | null } | null> {
  const { rows } = await sql<{ before_leaving: { pending: Plan | null } | null }>`
    select before_leaving from subscriptions where subscription_id = ${subscriptionId}`.execute(db)
  return rows[0]?.before_leaving ?? null
}

export async function clearPlanBeforeLeaving(db: Sql, subscriptionId: string): Promise<void> {
  await sql`
    update subscriptions set before_leaving = null
    where subscription_id = ${subscriptionId} and before_leaving is not null`.execute(db)
}

/** Whether the stored snapshot is the same, apart from its time. */
export async function isKnownSnapshot(db: Sql, fact: FactOf<'subscription'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from subscriptions
    where provider_id = ${fact.subscription}
      and snapshot::jsonb - 'as_of' = ${JSON.stringify(fact)}::jsonb - 'as_of'`.execute(db)
  return rows.length > 0
}

/** Business that the stored snapshot names. */
export async function ownerOfSubscription(trx: Sql, providerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ business_id: string }>`
    select business_id from subscriptions where provider_id = ${providerId}`.execute(trx)
  return rows[0]?.business_id
}

export async function subscriptionsOf(db: Sql, businessId: string): Promise<SubscriptionState[]> {
  const { rows } = await sql<SubscriptionState>`
    select subscription_id, provider_id, tier, pay_interval as interval, status, period_start, period_end,
      (snapshot::jsonb ->> 'amount_rappen')::int as amount_rappen, cancel_at_period_end, pending_tier, pending_interval,
      payment_method, ended_at, as_of,
      exists (select from payment_customers c
        where c.business_id = s.business_id and s.snapshot::jsonb ->> 'customer' = any (c.former_ids)) as is_former
    from subscriptions s where business_id = ${businessId} order by as_of desc limit 100`.execute(db)
  return rows
}

export type NewPayment = Required<Omit<Insertable<DB['payments']>, 'invoice_no'>> & {
  what: 'subscription' | 'promotion'
  vat_rate: number | null
}

/**
 * Call under `lockPayment`. A known payment is not inserted, because a conflict would use up an invoice number.
 * @returns false: the payment is known
 */
export async function insertPayment(trx: Sql, payment: NewPayment): Promise<boolean> {
  if (await findPayment(trx, payment.payment_id)) return false
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payments')
    .values(payment)
    .onConflict((known) => known.column('payment_id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export interface PaymentRow {
  payment_id: string
  invoice_id: string
  business_id: string
  what: 'subscription' | 'promotion'
  amount_rappen: number
  vat_rate: number | null
  vat_rappen: number
  provider: 'stripe' | 'test'
}

export async function findPayment(db: Sql, paymentId: string): Promise<PaymentRow | undefined> {
  const { rows } = await sql<PaymentRow>`
    select payment_id, invoice_id, business_id, what, amount_rappen, vat_rate, vat_rappen, provider
    from payments where payment_id = ${paymentId}`.execute(db)
  return rows[0]
}

/**
 * Payments of a business by its current customer at the provider, to compare with the provider's. A payment in the second in which
 * the customer changed is left out, as it may be of the former one: times of payments are whole seconds.
 */
export async function paymentsAt(db: Sql, provider: string, businessId: string): Promise<{ payment_id: string }[]> {
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from payments p
    where business_id = ${businessId} and provider = ${provider}
      and paid_at > coalesce(
        (select changed_at from payment_customers c where c.business_id = p.business_id), '-infinity')
    order by paid_at desc limit 1000`.execute(db)
  return rows
}

/** SQL: refunded in full, or disputed and not won. A reversal of more than was paid is ignored. */
const isReversed = sql<boolean>`(
  select coalesce(sum(r.amount_rappen) filter (where r.kind = 'refund' and r.status = 'done'), 0) >= greatest(p.amount_rappen, 1)
    or coalesce(bool_or(r.kind = 'dispute' and r.status in ('open', 'lost')), false)
  from payment_reversals r where r.payment_id = p.payment_id and r.amount_rappen <= p.amount_rappen)`

/** SQL: time of the last reversal. */
const reversedAt = sql<Date | null>`(
  select max(r.reversed_at) from payment_reversals r
  where r.payment_id = p.payment_id and r.amount_rappen <= p.amount_rappen
    and ((r.kind = 'refund' and r.status = 'done') or (r.kind = 'dispute' and r.status in ('open', 'lost'))))`

/** Newest first. Within one second the higher plan comes first: it was bought later, as only upgrades are charged at once. */
export async function paymentsOf(db: Sql, businessId: string): Promise<PaymentState[]> {
  const { rows } = await sql<PaymentState>`
    select p.payment_id, p.what, p.subscription_provider_id, p.tier, p.period_end, p.paid_at, p.payment_method,
      ${isReversed} as reversed, ${reversedAt} as reversed_at
    from payments p where p.business_id = ${businessId}
    order by p.paid_at desc, p.period_end desc, (p.tier = 'ULTIMATE') desc, p.invoice_id desc limit 1000`.execute(db)
  return rows
}

/** Later states win (pending < done < failed, open < won < lost), so the order of events does not matter. */
const states = ['pending', 'done', 'failed', 'open', 'won', 'lost']

/** @returns true: something changed */
export async function putReversal(
  trx: Sql,
  reversal: Required<Insertable<DB['payment_reversals']>> & { kind: 'refund' | 'dispute' },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into payment_reversals as r (reversal_id, payment_id, kind, amount_rappen, status, reversed_at)
    values (${reversal.reversal_id}, ${reversal.payment_id}, ${reversal.kind}, ${reversal.amount_rappen},
      ${reversal.status}, ${reversal.reversed_at})
    on conflict (reversal_id) do update set status = excluded.status,
      reversed_at = coalesce(r.reversed_at, excluded.reversed_at)
    where array_position(${states}::text[], excluded.status) > array_position(${states}::text[], r.status)`.execute(trx)
  return (numAffectedRows ?? 0n) > 0n
}

export interface ReversalRow {
  reversal_id: string
  kind: 'refund' | 'dispute'
  amount_rappen: number
  status: 'pending' | 'done' | 'failed' | 'open' | 'won' | 'lost'
}

export async function reversalsOf(db: Sql, paymentId: string): Promise<ReversalRow[]> {
  const { rows } = await sql<ReversalRow>`
    select reversal_id, kind, amount_rappen, status from payment_reversals
    where payment_id = ${paymentId} order by reversal_id limit 1000`.execute(db)
  return rows
}
