import { useEffect, useRef } from 'react'
import { focusFirst } from '../../kit/browser/forms/focus-first.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/**
 * The form of a post that may be refused: the first wrong field then gets the focus, and where no field is wrong the button
 * gets it back, which lost it while the form was on its way.
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
