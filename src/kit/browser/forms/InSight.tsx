import { useEffect, useRef, type ReactNode } from 'react'

/** What has just happened must be seen: the button was tapped at the foot of a form that may be longer than the screen. */
export function InSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // in braces: newer browsers answer with a promise, and React takes what an effect returns for its end
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className="scroll-my-24">
      {children}
    </div>
  )
}
