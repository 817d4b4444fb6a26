import { hash } from 'node:crypto'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { keyUsed } from '../contract.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

/**
 * The same `Idempotency-Key` gives the same answer again; with another request it is refused. A refusal is not kept, so a
 * request that failed may be tried again with its key. Throws `idempotency_key_used`.
 */
export async function answeredOnce<Answer>(
  { db, clock }: PaymentRoom,
  businessId: string,
  request: { key: string | null; operation: string; body: unknown },
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (request.key === null) return work()
  const key = hash('sha256', request.key, 'buffer')
  const own = hash('sha256', JSON.stringify([request.operation, request.body ?? null]), 'buffer')
  const kept = await store.claimRequest(db, { businessId, key, request: own, now: asDate(clock.now()) })
  if (!own.equals(kept.request_hash)) throw new Refusal(keyUsed)
  if (kept.answer !== null) return kept.answer as Answer
  return (await store.storeAnswer(db, businessId, key, await work())) as Answer
}
