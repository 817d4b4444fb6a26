import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { getClock } from '../contract.ts'
import { offsetOf } from './server-clock.ts'
import { tillStore } from './till-store.ts'

/**
 * What is to be added to this device's clock for the server's time, in ms, as it was last told: a till that is opened
 * without network goes by that. null: it was never told.
 */
export const storedOffset = () => tillStore.clock.get()?.offset_ms ?? null

/** The time of an answer that took longer is a worse guess than an offset that is known already. */
const slowMs = 2000

/** Asks the server now. null: no answer. The server told its time halfway between question and answer. */
export async function measureOffset(): Promise<number | null> {
  const sentAt = performance.now()
  const { answer } = await ask(callByFetch, getClock, {})
  if (!answer) return null
  const tookMs = performance.now() - sentAt
  const known = storedOffset()
  if (tookMs > slowMs && known !== null) return known
  const offset_ms = Math.round(offsetOf(answer.body.server_now) + tookMs / 2)
  tillStore.clock.set({ offset_ms })
  return offset_ms
}
