import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { counterPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'

/** Loaded apart from the page, because few visitors need it. */
export const fetchCounterView = () => import('./CounterView.tsx')

/** For a deal without a code that can be used now: opens the ticket to show at the counter. */
export function ShowAtCounter({ deal }: { deal: Pick<Deal, 'deal_id'> }) {
  const t = useTranslations('deal')
  useEffect(() => {
    // load it now: at the counter there may be no network
    fetchCounterView().catch(() => {})
  }, [])
  return (
    <ButtonLink href={counterPage(deal.deal_id)} variant="primary" size="lg" wide>
      {t('counter.show')}
    </ButtonLink>
  )
}
