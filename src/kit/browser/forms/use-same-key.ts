import { useRef } from 'react'
import { newKey } from '../new-key.ts'

/**
 * The `Idempotency-Key` of a form: the same key for the same content until `answered`. A request whose answer was lost may
 * have arrived; the server answers a retry with the same key like the first, and does nothing twice.
 */
export function useSameKey() {
  const last = useRef({ of: '', key: '' })
  return {
    keyOf(content: unknown): string {
      const of = JSON.stringify(content)
      if (last.current.of !== of) last.current = { of, key: newKey() }
      return last.current.key
    },
    /** The answer arrived: the same content is a new request from now on. */
    answered() {
      last.current = { of: '', key: '' }
    },
  }
}
