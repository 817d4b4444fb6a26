import LocateFixed from 'lucide-react/icons/locate-fixed'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { chipClass } from './chip.ts'
import { dealsWith, withoutPlace, type DealQuery } from './deal-query.ts'
import type { PositionRefusal } from '../../kit/browser/ask-position.ts'
import { useNearMe } from './use-near-me.ts'

/** "Near me" as a chip, with a link back to everywhere once it is chosen. */
export function NearMe({
  query,
  current,
  onRefused,
  words,
}: {
  query: DealQuery
  current: boolean
  onRefused: (why: PositionRefusal | null) => void
  words: () => string
}) {
  const t = useTranslations('dealList')
  const { asking, link } = useNearMe(query, onRefused, words)
  return (
    <span className="flex shrink-0">
      <a
        {...link}
        aria-current={current ? 'true' : undefined}
        className={`${chipClass} aria-[current]:rounded-r-none aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-page`}
      >
        {asking ? <Bars /> : <LocateFixed aria-hidden="true" className="size-5" />}
        {asking ? t('finding') : t('nearMe')}
      </a>
      {current && (
        <a
          href={dealsWith(query, withoutPlace)}
          aria-label={t('remove', { filter: t('nearMe') })}
          className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-r-6 border-2 border-l-0 border-ink bg-ink text-page hover:bg-surface hover:text-ink"
        >
          <X aria-hidden="true" className="size-5" />
        </a>
      )}
    </span>
  )
}
