import type { ComponentProps, ReactNode, Ref } from 'react'
import { headlineType } from './long-words.ts'
import { PageBand } from './PageBand.tsx'

/**
 * The five kinds of pages. Each screen is one of them; the kind owns the head, the size of the heading and the column.
 *
 * - `list`: a place to browse, with the ink band
 * - `account`: what is mine, and all of a business or of the festival team, with the river band
 * - `form`: one form in a narrow column
 * - `thing`: one deal, event, merchant or topic, below its picture or breadcrumb
 * - `poster`: large type with a drawing: home, logins, information, and pages that say that something went wrong
 */
export type PageKind = 'list' | 'account' | 'form' | 'thing' | 'poster'

type Band = Omit<ComponentProps<typeof PageBand>, 'kind' | 'children'> & {
  /** In the band, beside the title: a search, a button. */
  beside?: ReactNode
  children: ReactNode
}

export function ListPage({ beside, children, ...band }: Band) {
  return (
    <div data-page="list">
      <PageBand kind="ink" {...band}>
        {beside}
      </PageBand>
      <div className={column}>{children}</div>
    </div>
  )
}

export function AccountPage({ beside, children, ...band }: Band) {
  return (
    <div data-page="account">
      <PageBand kind="river" {...band}>
        {beside}
      </PageBand>
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
