import { useEffect, useRef, type ReactNode } from 'react'

/** Scrolls a new message into view: the form with the tapped button may be longer than the screen. */
export function InSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // in braces: newer browsers return a promise, and React would call it as the cleanup
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className="scroll-my-24">
      {children}
    </div>
  )
}
