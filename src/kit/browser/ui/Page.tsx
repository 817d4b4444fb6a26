import type { ReactNode, Ref } from 'react'
import { headlineType } from './long-words.ts'
import { WaveRule } from './WaveRule.tsx'

/**
 * The five kinds of pages. Each screen is one of them; the kind owns the head, the size of the heading and the column.
 *
 * - `list`: a place to browse, with the ink band
 * - `account`: what is mine, and all of a business or of the festival team, with the river band
 * - `form`: one form in a narrow column
 * - `thing`: one deal, event, merchant or topic, below its picture or breadcrumb
 * - `poster`: large type with a drawing: home, logins, information, and pages that say that something went wrong
 */
type PageKind = 'list' | 'account' | 'form' | 'thing' | 'poster'

interface Band {
  title: ReactNode
  /** Below the title; its line is kept free while it is still to come (''). */
  lead?: ReactNode
  /** A way back, above the title. */
  above?: ReactNode
  /** In the band, beside the title: a search, a button. */
  beside?: ReactNode
  /** Of the band. */
  className?: string
  children: ReactNode
}

export const ListPage = (page: Band) => <Banded kind="list" ground="border-b-2 border-rule bg-deep" {...page} />

export const AccountPage = (page: Band) => <Banded kind="account" ground="bg-river" {...page} />

/** The band is as wide as the page and has its wave; it is low, so that the first thing on the page can be seen below it. */
function Banded({
  kind,
  ground,
  title,
  lead,
  above,
  beside,
  className = '',
  children,
}: Band & { kind: PageKind; ground: string }) {
  return (
    <div data-page={kind}>
      <div data-page-head className={`river overflow-clip ${ground} ${className}`}>
        <div className="shell flex flex-wrap items-end justify-between gap-x-12 gap-y-3 pt-4 md:pt-6">
          <div className="grid min-w-0 gap-0.5">
            {above}
            <h1 className="text-3xl text-paper hyphens-auto [overflow-wrap:anywhere]">{title}</h1>
            {lead !== undefined && (
              <p className="min-h-[1.55em] max-w-[60ch] text-on-deep [overflow-wrap:anywhere]">{lead}</p>
            )}
          </div>
          {beside}
        </div>
        <WaveRule className="mt-1 -mb-1 text-coral" />
      </div>
      <div className={column}>{children}</div>
    </div>
  )
}

const column = 'shell grid grid-cols-1 gap-6 py-5 md:py-8 print:py-0'

/** `above`: the way back; `className`: of the head. */
export function FormPage({
  title,
  lead,
  above,
  className = '',
  children,
}: {
  title: string
  lead?: ReactNode
  above?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <div data-page="form" className={column}>
      <div className="grid max-w-3xl grid-cols-1 gap-6">
        <div className={`grid gap-1 ${className}`}>
          {above}
          <h1 className="text-3xl hyphens-auto [overflow-wrap:anywhere]">{title}</h1>
          {lead !== undefined && <p className="max-w-[60ch] text-ink-soft">{lead}</p>}
        </div>
        {children}
      </div>
    </div>
  )
}

/**
 * `pb-28` keeps the end of the page above the action bar of phones.
 * @param as `div`: the page consists of articles itself
 */
export function ThingPage({ as: Element = 'article', children }: { as?: 'article' | 'div'; children: ReactNode }) {
  return (
    <Element data-page="thing" className="shell grid grid-cols-1 gap-8 pt-3 pb-28 md:gap-12 md:py-8">
      {children}
    </Element>
  )
}

/** The name of a thing, smaller if it is long. Its parent must be a `@container`. */
export function ThingTitle({
  lang,
  isOff = false,
  ref,
  children,
}: {
  lang?: string | undefined
  /** Struck out, for example if the event is cancelled. */
  isOff?: boolean
  /** For a heading that takes the focus. */
  ref?: Ref<HTMLHeadingElement>
  children: string
}) {
  return (
    <h1
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      lang={lang}
      className={`${headlineType(children)} ${isOff ? 'line-through' : ''}`}
    >
      {children}
    </h1>
  )
}
