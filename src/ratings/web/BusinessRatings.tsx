import 'texts:ratings'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Rating as Mean } from '../../brand/Rating.tsx'
import { dealPage } from '../../site-map.ts'
import type { BusinessRatings as Told, Rating } from '../contract.ts'
import { RatingItem } from './RatingItem.tsx'

/** On the page of a merchant: how its deals are rated, and what was said last. Nothing while nobody has said anything. */
export default function BusinessRatings({ businessId, told }: { businessId: string; told: Told | null }) {
  const t = useTranslations('ratings')
  const [changed, setChanged] = useState<Rating[]>([])
  if (!told || told.rating_mean === null || told.rating_count === 0) return null
  const mean = told.rating_mean.toFixed(1)
  return (
    <section aria-labelledby="ratings" className="grid content-start gap-4">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="ratings">{t('title')}</h2>
        <Mean value={mean} count={String(told.rating_count)} label={t('meanOf', { mean, count: told.rating_count })} />
      </div>
      <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
        {told.latest.map((row) => (
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
