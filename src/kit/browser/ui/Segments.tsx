import type { ReactNode } from 'react'

export type Segment = { href: string; label: ReactNode; current: boolean; key: string }

/** With a part of the one before it. Not `scrollIntoView`, which may move the page too. */
function showCurrent(nav: HTMLElement | null) {
  if (nav) nav.scrollLeft = (nav.querySelector<HTMLElement>('[aria-current]')?.offsetLeft ?? 0) - 99
}

/** A few equal views of one thing (List | Map; the days), as links; on narrow phones it scrolls sideways, to the current one at first. */
export function Segments({ label, segments }: { label: string; segments: Segment[] }) {
  return (
    <nav ref={showCurrent} aria-label={label} className="-m-2 max-w-[calc(100%+1rem)] overflow-x-auto p-2">
      <ul className="flex w-fit rounded-6 border-2 border-rule bg-surface">
        {segments.map(({ key, href, label: text, current }) => (
          <li key={key} className="border-l-2 border-rule first:border-l-0">
            <a
              href={href}
              aria-current={current ? 'true' : undefined}
              className="flex min-h-11 items-center gap-2 whitespace-nowrap px-4 font-semibold text-ink no-underline hover:bg-well focus-visible:relative focus-visible:z-10 aria-[current]:bg-ink aria-[current]:text-page"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Chapters of one page or filters (categories), as links on a line; the current one stands on a coral bar. */
export function Tabs({ label, segments }: { label: string; segments: Segment[] }) {
  return (
    <nav aria-label={label} className="overflow-x-auto border-b-2 border-rule pt-2">
      <ul className="flex gap-1">
        {segments.map(({ key, href, label: text, current }) => (
          <li key={key}>
            <a
              href={href}
              aria-current={current ? 'true' : undefined}
              className="flex min-h-11 items-center gap-2 whitespace-nowrap rounded-t-6 border-b-6 border-transparent px-3 font-semibold text-ink-soft no-underline hover:text-ink focus-visible:-outline-offset-4 focus-visible:shadow-none aria-[current]:border-action aria-[current]:text-ink"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
