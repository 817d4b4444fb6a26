import { useEffect, useRef } from 'react'
import { focusFirst } from '../../kit/browser/forms/focus-first.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/**
 * Ref for a form. When it is refused, the first wrong field gets the focus; without a wrong field the send button gets the focus
 * back, which it lost while it was disabled.
 */
export function useRefusedFocus(refused: RefusedAnswer | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!refused || focusFirst(form.current, refused.fields)) return
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus({ preventScroll: true })
  }, [refused])
  return form
}
