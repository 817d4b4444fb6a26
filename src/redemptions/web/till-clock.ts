import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { getClock } from './calls.ts'
import { offsetOf } from './server-clock.ts'
import { tillStore } from './till-store.ts'

/**
 * What is to be added to this device's clock for the server's time, in ms, as it was last told: a till that is opened
 * without network goes by that. null: it was never told.
 */
export const keptOffset = () => tillStore.clock.get()?.offset_ms ?? null

/** Asks the server now. null: no answer. */
export async function learnOffset(): Promise<number | null> {
  const { answer } = await ask(callByFetch, getClock, {})
  if (!answer) return null
  const offset_ms = Math.round(offsetOf(answer.body.server_now))
  tillStore.clock.set({ offset_ms })
  return offset_ms
}
