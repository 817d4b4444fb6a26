import Zap from 'lucide-react/icons/zap'
import { useTranslations } from 'use-intl'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { chipClass } from './chip.ts'
import type { DealQuery } from './deal-query.ts'
import type { PositionRefusal } from '../../kit/browser/ask-position.ts'
import { useNearMe } from './use-near-me.ts'

/** One tap to deals that can be used now, near me; as a button, or as the first of a row of chips. */
export function NowLink({
  as,
  query = {},
  onRefused = () => {},
  words,
}: {
  as: 'button' | 'chip'
  /** Words, category and price to keep. */
  query?: Pick<DealQuery, 'q' | 'category' | 'max_price'>
  onRefused?: (why: PositionRefusal | null) => void
  words?: () => string
}) {
  const t = useTranslations('deals')
  const { asking, link } = useNearMe({ ...query, openNow: 'true' }, onRefused, words)
  const icon = asking ? <Bars /> : <Zap aria-hidden="true" className="size-5 fill-current" />
  const label = asking ? t('finding') : t(as === 'chip' ? 'nowNearShort' : 'nowNear')
  if (as === 'chip')
    return (
      <a {...link} className={`${chipClass} border-moss bg-moss text-on-moss`}>
        {icon}
        {label}
      </a>
    )
  return (
    <ButtonLink {...link} variant="secondary" size="lg" icon={icon} className="w-fit">
      {label}
    </ButtonLink>
  )
}
