import { useEffect, useRef } from 'react'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/**
 * What became of the last tap, brought in sight: its button may be far below. Where that button is gone it has the focus, so that the keyboard
 * goes on from here. `said` is a new object for each tap.
 */
export function Said({ said }: { said: { kind: 'success' | 'warn' | 'error'; text: string } | null }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!said) return
    place.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [said])
  return (
    said && (
      <div ref={place} tabIndex={-1} className="scroll-my-24">
        <Notice kind={said.kind} title={said.text} />
      </div>
    )
  )
}
