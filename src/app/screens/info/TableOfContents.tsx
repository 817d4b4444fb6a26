import type { ReactNode } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useTranslations } from 'use-intl'

interface Entry {
  anchor: string
  title: ReactNode
  inner?: Entry[]
}

/**
 * The contents of a long page: beside it on wide screens, folded above it on phones. The browser follows these links, not the
 * router, because only the browser's own jump opens a folded answer.
 */
export function TableOfContents({ entries }: { entries: Entry[] }) {
  const t = useTranslations('info')
  return (
    <nav
      aria-label={t('onThisPage')}
      className="lg:sticky lg:top-24 lg:max-h-[calc(100dvh-8rem)] lg:self-start lg:overflow-y-auto"
    >
      <details className="group rounded-6 border-2 border-rule bg-surface lg:hidden">
        <summary className="flex min-h-12 list-none items-center justify-between gap-3 px-4 font-semibold [&::-webkit-details-marker]:hidden">
          {t('onThisPage')}
          <ChevronDown aria-hidden="true" className="size-5 transition-transform group-open:rotate-180" />
        </summary>
        <Entries entries={entries} className="border-t-2 border-rule p-2" />
      </details>
      <div className="grid gap-2 p-1 max-lg:hidden">
        <p className="text-xs font-semibold text-ink-soft">{t('onThisPage')}</p>
        <Entries entries={entries} className="-ml-3" />
      </div>
    </nav>
  )
}

function Entries({ entries, className = '' }: { entries: Entry[]; className?: string }) {
  return (
    <ul className={`grid ${className}`}>
      {entries.map(({ anchor, title, inner }) => (
        <li key={anchor} className={inner && 'pb-3'}>
          <a
            href={`#${anchor}`}
            className={`flex min-h-11 items-center rounded-6 px-3 py-1.5 leading-snug [overflow-wrap:anywhere] text-ink no-underline decoration-action decoration-3 underline-offset-4 hover:underline ${inner ? 'font-semibold' : ''}`}
          >
            {title}
          </a>
          {inner && <Entries entries={inner} />}
        </li>
      ))}
    </ul>
  )
}
