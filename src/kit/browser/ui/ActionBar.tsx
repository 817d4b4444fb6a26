import { useCallback, useState, type ReactNode } from 'react'

/**
 * The main button of a page, above the navigation of phones while the page is scrolled. In very large type or on low screens, where
 * bar and navigation would take more than a third of the height, it stays in the page. `note` stays there always. Hidden while a form
 * of the page is filled in, so that it covers none of its buttons. `needsScript`: it
 * does nothing without JavaScript.
 */
export function ActionBar({
  children,
  note,
  needsScript = false,
}: {
  children: ReactNode
  note?: ReactNode
  needsScript?: boolean
}) {
  const [isTall, setTall] = useState(false)
  const measure = useCallback((bar: HTMLDivElement) => {
    const observer = new ResizeObserver(() => {
      const navigation = Number.parseFloat(getComputedStyle(bar).bottom)
      setTall(bar.offsetHeight + navigation > innerHeight / 3)
    })
    observer.observe(bar)
    return () => observer.disconnect()
  }, [])
  return (
    <div className={`grid gap-1.5 print-hidden ${needsScript ? 'noscript:hidden' : ''}`}>
      <div
        ref={measure}
        data-over-page-end={isTall ? undefined : ''}
        className={`bottom-[calc(4rem+env(safe-area-inset-bottom))] grid gap-1.5 max-md:inset-x-0 max-md:z-20 max-md:bg-page max-md:py-2 max-md:[@media(height<32rem)]:static max-md:[main:has(form:focus-within)_&]:invisible ${isTall ? '' : 'max-md:fixed max-md:border-t max-md:border-hair max-md:px-[5vw]'}`}
      >
        {children}
      </div>
      {note && <div className="text-sm text-ink-soft">{note}</div>}
    </div>
  )
}
