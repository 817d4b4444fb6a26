import { useTranslations } from 'use-intl'
import { forumPage } from '../../site-map.ts'
import type { ForumCategory } from '../contract.ts'
import { forumCategories } from '../limits.ts'
import { ForumGlyph } from './ForumGlyph.tsx'

/** On phones a line that scrolls; on wide screens a column beside the list. */
export function ForumCategories({
  current,
  categories,
}: {
  current: ForumCategory | null
  categories: { category: ForumCategory; topic_count: number }[]
}) {
  const t = useTranslations('forum')
  const counts = new Map(categories.map((each) => [each.category, each.topic_count]))
  return (
    <nav aria-label={t('categories')} className="-m-2 overflow-x-auto p-2 lg:overflow-visible">
      <ul className="flex gap-2 lg:sticky lg:top-24 lg:grid lg:gap-1">
        {([null, ...forumCategories] as const).map((category) => (
          <li key={category ?? 'all'} className="shrink-0">
            <a
              href={forumPage(category)}
              aria-current={category === current ? 'page' : undefined}
              className="flex min-h-11 items-center gap-2.5 rounded-6 border-2 border-hair px-2.5 font-semibold whitespace-nowrap text-ink no-underline hover:border-ink aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-page lg:border-transparent"
            >
              {category && <ForumGlyph category={category} className="size-7" />}
              <span className="flex-1">{category ? t(`category.${category}`) : t('all')}</span>
              {category && <span className="figure text-sm opacity-80">{counts.get(category) ?? 0}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
