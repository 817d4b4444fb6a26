import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { dealsPage } from '../../site-map.ts'
import { dealsWith } from './deal-query.ts'
import type { DealList } from './load-deals.ts'

/** Links to the previous and the next page. */
export function DealPages({ query, next, isFirst, pageNumber, perPage, deals }: DealList) {
  const t = useTranslations('dealList')
  if (isFirst && !next) return null
  const previousOffset = (pageNumber - 2) * perPage
  const canStepBack = !isFirst && pageNumber > 2 && previousOffset <= 1000
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center justify-center gap-3 pt-4">
      {!isFirst && (
        <ButtonLink
          rel="prev"
          href={
            canStepBack ? dealsPage({ ...query, offset: previousOffset, page: pageNumber - 1 }) : dealsWith(query, {})
          }
          icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        >
          {canStepBack || pageNumber === 2 ? t('previous') : t('first')}
        </ButtonLink>
      )}
      {!isFirst && pageNumber > 1 && <span className="figure px-1">{t('pageNumber', { n: pageNumber })}</span>}
      {next && deals.length > 0 && (
        <ButtonLink rel="next" href={dealsPage({ ...query, after: next, page: isFirst ? 2 : pageNumber + 1 })}>
          {t('next')}
          <ArrowRight aria-hidden="true" className="size-5" />
        </ButtonLink>
      )}
    </nav>
  )
}
