import type { ReactNode } from 'react'
import { WaveRule } from './WaveRule.tsx'

/**
 * The head of a page across its whole width, with one size of heading and the page's wave. `ink`: places to browse; `river`: what is
 * mine, and all of a business. Low, so that the first thing on the page can be seen below it.
 */
export function PageBand({
  kind,
  title,
  lead,
  above,
  children,
  className = '',
}: {
  kind: 'ink' | 'river'
  title: ReactNode
  /** Below the title; its line is kept free while it is still to come (''). */
  lead?: ReactNode
  /** A way back, above the title. */
  above?: ReactNode
  /** Beside the title: a search, a button. */
  children?: ReactNode
  className?: string
}) {
  return (
    <div
      data-page-head={kind}
      className={`river overflow-clip ${kind === 'ink' ? 'border-b-2 border-rule bg-deep' : 'bg-river'} ${className}`}
    >
      <div className="shell flex flex-wrap items-end justify-between gap-x-12 gap-y-3 pt-4 md:pt-6">
        <div className="grid min-w-0 gap-0.5">
          {above}
          <h1 className="text-3xl text-paper hyphens-auto [overflow-wrap:anywhere]">{title}</h1>
          {lead !== undefined && (
            <p className="min-h-[1.55em] max-w-[60ch] text-on-deep [overflow-wrap:anywhere]">{lead}</p>
          )}
        </div>
        {children}
      </div>
      <WaveRule className="mt-1 -mb-1 text-coral" />
    </div>
  )
}
