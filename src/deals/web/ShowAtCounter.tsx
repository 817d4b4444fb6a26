import { useEffect } from 'react'
import Smartphone from 'lucide-react/icons/smartphone'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { counterPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'

/** Loaded apart from the page, because few visitors need it. */
export const fetchCounterView = () => import('./CounterView.tsx')

/** For a deal without a code: opens the page to show at the counter. Nothing unless the deal is active. */
export function ShowAtCounter({ deal }: { deal: Pick<Deal, 'deal_id' | 'status'> }) {
  const t = useTranslations('deal')
  const isOffered = deal.status === 'active'
  useEffect(() => {
    // load it now: at the counter there may be no network
    if (isOffered) fetchCounterView().catch(() => {})
  }, [isOffered])
  if (!isOffered) return null
  return (
    <ButtonLink
      href={counterPage(deal.deal_id)}
      variant="primary"
      size="lg"
      wide
      icon={<Smartphone aria-hidden="true" className="size-5 shrink-0" />}
    >
      {t('counter.show')}
    </ButtonLink>
  )
}
