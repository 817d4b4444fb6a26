import { sql } from 'kysely'
import { payments } from '../src/payments/room.ts'
import type { PaymentRoom } from '../src/payments/server/room.ts'
import { testProvider, type TestProvider } from '../src/payments/server/test-provider.ts'
import type { Fact, ProviderEvent } from '../src/payments/server/facts.ts'
import type { Clock } from '../src/kit/server/clock.ts'
import type { Room } from '../src/kit/server/room.ts'
import { rooms } from '../src/app/rooms.ts'
import { keyringFor } from './rooms.ts'
import { post } from './people.ts'
import { api, type TestApp } from './start-app.ts'

/** All rooms, and the services of the room payments once they are open. */
export function withPaymentRoom(): { rooms: readonly Room[]; room: () => PaymentRoom } {
  let own: PaymentRoom | undefined
  const watched: Room<PaymentRoom> = {
    ...payments,
    open: async (house) => (own = await payments.open(house)),
  }
  return { rooms: rooms.map((each) => (each === payments ? (watched as Room) : each)), room: () => own! }
}

/** The test provider of an app, to sign webhooks from outside. */
export async function providerOf(app: TestApp, clock: Clock): Promise<TestProvider> {
  const { keyring } = await keyringFor(app)
  return testProvider({ db: app.db, clock, keyring, alwaysCheckout: false })
}

/** The event of a payment that was refunded in full. */
export async function reversalOf(
  app: TestApp,
  payment: string,
  what: 'refund' | 'dispute',
  status: 'done' | 'open' | 'won',
  at: string,
): Promise<ProviderEvent> {
  const { amount_rappen } = await app.db
    .selectFrom('payments')
    .select('amount_rappen')
    .where('payment_id', '=', payment)
    .executeTakeFirstOrThrow()
  const id = `t${what}_${payment}`
  const fact = { kind: what, [what]: id, payment, amount_rappen, currency: 'chf', status, at } as unknown as Fact
  return { id: `tevt_${id}_${status}`, type: what, created_at: at, facts: [fact] }
}

/** Sends an event like a payment provider. */
export async function deliver(app: { url: string }, provider: TestProvider, event: ProviderEvent) {
  const { payload, signature } = await provider.sign(event)
  return sendEvent(app, payload, signature)
}

export function sendEvent(
  app: { url: string },
  payload: string | Uint8Array,
  signature: string,
  more: Record<string, string> = {},
) {
  return api(app, '/api/payments/webhook', {
    method: 'POST',
    body: payload as BodyInit,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature, ...more },
  })
}

export const upgrade = (app: { url: string }, token: string, newTier: unknown, more: object = {}, headers = {}) =>
  post(app, '/api/business/upgrade', { newTier, ...more }, { token, headers })

/** Balances of the ledger, of one business or of all; their sum is 0. */
export async function ledgerOf(app: TestApp, businessId?: string) {
  const mine = businessId ? sql`where business_id = ${businessId}` : sql``
  const { rows } = await sql<{ account: string; balance: number }>`
    select account, sum(amount_rappen)::int as balance
    from ledger_entries join ledger_transactions using (transaction_id) ${mine}
    group by account order by account`.execute(app.db)
  const { rows: count } = await sql<{ count: number }>`
    select count(*)::int as count from ledger_transactions ${mine}`.execute(app.db)
  return {
    sum: rows.reduce((sum, { balance }) => sum + balance, 0),
    transactions: count[0]!.count,
    ...Object.fromEntries(rows.map(({ account, balance }) => [account, balance])),
  }
}
