import { hash } from 'node:crypto'
import { asDate } from '../../kit/server/clock.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { keyUsed } from '../contract.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

/**
 * A retry with the same `Idempotency-Key` gets the stored answer. Refusals are not stored, so a failed request can be retried with
 * its key. @throws `idempotency_key_used` for another request with the same key
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
  const stored = await store.claimRequest(db, { businessId, key, request: own, now: asDate(clock.now()) })
  if (!own.equals(stored.request_hash)) throw new Refusal(keyUsed)
  if (stored.answer !== null) return stored.answer as Answer
  return (await store.storeAnswer(db, businessId, key, await work())) as Answer
}
