import type { ReactNode } from 'react'

export type Segment = { href: string; label: ReactNode; current: boolean; key: string }

/** Scrolls to the current link, with a part of the one before it. `scrollIntoView` could scroll the page too. */
function showCurrent(nav: HTMLElement | null) {
  if (nav) nav.scrollLeft = (nav.querySelector<HTMLElement>('[aria-current]')?.offsetLeft ?? 0) - 99
}

/** Links to a few views of one thing (List | Map; the days). On narrow phones they scroll sideways. */
export function Segments({ label, segments }: { label: string; segments: Segment[] }) {
  return (
    <nav ref={showCurrent} aria-label={label} className="-m-2 max-w-[calc(100%+1rem)] overflow-x-auto p-2">
      <ul className="flex w-fit rounded-6 border-2 border-rule bg-surface">
        {segments.map(({ key, href, label: text, current }) => (
          <li key={key} className="border-l-2 border-rule first:border-l-0">
            <a
              href={href}
              aria-current={current ? 'true' : undefined}
              className="flex min-h-11 items-center gap-2 whitespace-nowrap px-3 font-semibold text-ink no-underline hover:bg-well sm:px-4 focus-visible:relative focus-visible:z-10 aria-[current]:bg-ink aria-[current]:text-page"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Links to the sections of a page, or filters (categories), in one line; a coral bar marks the current one. */
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
