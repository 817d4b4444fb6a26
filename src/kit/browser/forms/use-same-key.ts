import { useRef } from 'react'
import { newKey } from '../new-key.ts'

/**
 * The `Idempotency-Key` of what is sent: the same for the same content until `answered`, because a request whose answer was
 * lost may have arrived. A second one with that key gets the first answer.
 */
export function useSameKey() {
  const last = useRef({ of: '', key: '' })
  return {
    keyOf(content: unknown): string {
      const of = JSON.stringify(content)
      if (last.current.of !== of) last.current = { of, key: newKey() }
      return last.current.key
    },
    /** It arrived: the same content once more is another wish. */
    answered() {
      last.current = { of: '', key: '' }
    },
  }
}
