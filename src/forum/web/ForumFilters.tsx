import { useTranslations } from 'use-intl'
import { Tabs } from '../../kit/browser/ui/Segments.tsx'
import { forumPage } from '../../site-map.ts'
import type { ForumCategory } from '../contract.ts'
import { postLanguages } from '../limits.ts'

export function ForumFilters({
  category,
  filters,
}: {
  category: ForumCategory | null
  filters: Partial<Record<'tag' | 'lang' | 'open' | 'sort', string>>
}) {
  const t = useTranslations('forum')
  const to = (more: Record<string, string | undefined>) => forumPage(category, { ...filters, ...more })
  return (
    <div className="grid grid-cols-1 gap-3">
      <Tabs
        label={t('sort')}
        segments={[
          {
            key: 'latest',
            href: to({ sort: undefined, open: undefined }),
            label: t('latest'),
            current: filters.sort !== 'new' && !filters.open,
          },
          {
            key: 'new',
            href: to({ sort: 'new', open: undefined }),
            label: t('newest'),
            current: filters.sort === 'new',
          },
          { key: 'open', href: to({ sort: undefined, open: 'true' }), label: t('unsolved'), current: !!filters.open },
        ]}
      />
      <nav aria-label={t('language')} className="-m-2 overflow-x-auto p-2">
        <ul className="flex w-fit gap-1">
          {([undefined, ...postLanguages] as const).map((lang) => (
            <li key={lang ?? 'any'}>
              <a
                href={to({ lang })}
                lang={lang}
                aria-current={filters.lang === lang ? 'true' : undefined}
                className="inline-flex min-h-11 items-center rounded-6 px-3 text-sm whitespace-nowrap font-semibold text-ink-soft no-underline hover:bg-well aria-[current]:bg-well aria-[current]:text-ink"
              >
                {lang ? t(`lang.${lang}`) : t('anyLanguage')}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
