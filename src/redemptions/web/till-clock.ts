import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { getClock } from '../contract.ts'
import { offsetOf } from './server-clock.ts'
import { tillStore } from './till-store.ts'

/**
 * The server's time minus this device's clock, in ms, as last measured: also for a till that is opened offline. null: never measured.
 */
export const storedOffset = () => tillStore.clock.get()?.offset_ms ?? null

/** A slower answer gives a worse offset than the one already stored. */
const slowMs = 2000

/** Asks for the server's time, taken as read halfway between request and answer. null: no answer. */
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
