import 'texts:ratings'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Rating as Mean } from '../../brand/Rating.tsx'
import { useNumbers } from '../../kit/browser/measures.ts'
import { dealPage } from '../../site-map.ts'
import type { BusinessRatings as Summary, Rating } from '../contract.ts'
import { RatingItem } from './RatingItem.tsx'

/** On the page of a business: mean and latest ratings of its deals; nothing without ratings. */
export default function BusinessRatings({ businessId, ratings }: { businessId: string; ratings: Summary | null }) {
  const t = useTranslations('ratings')
  const numbers = useNumbers()
  const [changed, setChanged] = useState<Rating[]>([])
  if (!ratings || ratings.rating_mean === null || ratings.rating_count === 0) return null
  const { rating_count: count } = ratings
  const mean = numbers.mean(ratings.rating_mean)
  return (
    <section aria-labelledby="ratings" className="grid content-start gap-4">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="ratings">{t('title')}</h2>
        <Mean value={mean} count={numbers.number(count)} label={t('meanOf', { mean, count })} />
      </div>
      <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
        {ratings.latest.map((row) => (
          <RatingItem
            key={row.rating_id}
            rating={changed.findLast(({ rating_id }) => rating_id === row.rating_id) ?? row}
            businessId={businessId}
            about={
              row.deal_name && (
                <p className="text-sm">
                  <a href={dealPage(row.deal_id)} className="link [overflow-wrap:anywhere]">
                    {row.deal_name}
                  </a>
                </p>
              )
            }
            changed={(rating) => setChanged((all) => [...all, rating])}
          />
        ))}
      </ul>
    </section>
  )
}
