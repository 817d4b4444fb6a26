import { useState, type ReactNode } from 'react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { useTranslations } from 'use-intl'
import { StarShape } from '../../brand/Badge.tsx'
import { late } from '../../kit/browser/late.tsx'
import { useSession, useStored } from '../../accounts/web/session.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { Rating } from '../contract.ts'
import { mayReply } from '../policy.ts'

/** Only for who is logged in. */
const RatingActions = late(() => import('./RatingActions.tsx'))

/** One rating with the merchant's reply. `about`: the deal, where the list is of several. */
export function RatingItem({
  rating,
  businessId,
  about,
  changed,
}: {
  rating: Rating
  businessId: string
  about?: ReactNode
  changed: (rating: Rating) => void
}) {
  const t = useTranslations('ratings')
  const when = useWhen()
  const session = useSession()
  const isMerchant = mayReply(useStored('businessId'), { business_id: businessId }) && session === 'business'
  const [replies, setReplies] = useState(false)
  return (
    <li className="grid gap-2 py-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars stars={rating.stars} label={t('stars', { n: rating.stars })} />
        <strong className="[overflow-wrap:anywhere]">{rating.author_name ?? t('deletedUser')}</strong>
        {rating.verified && (
          <span className="inline-flex items-center gap-1 text-sm font-semibold text-moss-text">
            <BadgeCheck aria-hidden="true" className="size-4" />
            {t('verified')}
          </span>
        )}
        {rating.updated_at && <span className="text-sm text-ink-soft">{when.day(rating.updated_at)}</span>}
      </p>
      {about}
      {rating.comment && <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">{rating.comment}</p>}
      {rating.reply && !replies && (
        <div className="grid max-w-prose gap-1 border-l-4 border-water pl-3">
          <p className="text-sm font-semibold">{t('replyOf')}</p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{rating.reply}</p>
        </div>
      )}
      {session !== 'guest' && (
        <RatingActions
          rating={rating}
          isMerchant={isMerchant}
          replies={replies}
          setReplies={setReplies}
          changed={changed}
        />
      )}
    </li>
  )
}

function Stars({ stars, label }: { stars: number; label: string }) {
  return (
    <span>
      <span className="sr-only">{label}</span>
      <span aria-hidden="true" className="inline-flex gap-0.5">
        {[1, 2, 3, 4, 5].map((each) => (
          <StarShape
            key={each}
            className={`size-5 stroke-lantern-text ${each <= stars ? 'fill-lantern' : 'fill-transparent'}`}
          />
        ))}
      </span>
    </span>
  )
}
