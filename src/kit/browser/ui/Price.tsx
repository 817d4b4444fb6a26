import type { ReactNode } from 'react'

/** A price in the display font; `was` is struck through, after `wasLabel` ("instead of"), which small prices say to screen readers alone. */
export function Price({
  children,
  was,
  wasLabel,
  size = 'md',
}: {
  children: ReactNode
  was?: string
  wasLabel?: string
  size?: 'md' | 'lg'
}) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <span className={`figure whitespace-nowrap text-ink ${size === 'lg' ? 'text-3xl' : 'text-lg'}`}>{children}</span>
      {was && (
        <span className="text-sm text-ink-soft">
          {wasLabel && <span className={size === 'lg' ? undefined : 'sr-only'}>{`${wasLabel} `}</span>}
          <s className="whitespace-nowrap">{was}</s>
        </span>
      )}
    </span>
  )
}
