import { useTranslations } from 'use-intl'
import { Rating } from '../../brand/Rating.tsx'
import { useNumbers } from '../../kit/browser/measures.ts'
import type { Deal } from '../contract.ts'

/** The stars of a deal; nothing while it has no rating. */
export function DealRating({ deal }: { deal: Pick<Deal, 'rating_mean' | 'rating_count'> }) {
  const t = useTranslations('deals')
  const numbers = useNumbers()
  if (deal.rating_mean === null || deal.rating_count === 0) return null
  const mean = numbers.mean(deal.rating_mean)
  return (
    <Rating
      value={mean}
      count={numbers.number(deal.rating_count)}
      label={t('rating', { mean, count: deal.rating_count })}
    />
  )
}
