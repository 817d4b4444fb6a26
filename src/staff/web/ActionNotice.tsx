import { useEffect, useRef } from 'react'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/**
 * The result of the last action, scrolled into view: its button may be far below. If that button is gone, the notice gets the
 * focus. `notice` must be a new object for each action.
 */
export function ActionNotice({ notice }: { notice: { kind: 'success' | 'warn' | 'error'; text: string } | null }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!notice) return
    place.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [notice])
  return (
    notice && (
      <div ref={place} tabIndex={-1} className="scroll-my-24">
        <Notice kind={notice.kind} title={notice.text} />
      </div>
    )
  )
}
