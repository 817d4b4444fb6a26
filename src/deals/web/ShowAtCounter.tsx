import { useEffect } from 'react'
import Smartphone from 'lucide-react/icons/smartphone'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { counterPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'

/** What is shown there: no part of the page, for most look at a deal and go on. */
export const fetchCounterView = () => import('./CounterView.tsx')

/** The way to get a deal without a code: its page is shown. Nothing for a deal that cannot be had now or later. */
export function ShowAtCounter({ deal }: { deal: Pick<Deal, 'deal_id' | 'status'> }) {
  const t = useTranslations('deal')
  const isOffered = deal.status === 'active'
  useEffect(() => {
    // at a counter there may be no network: what it shows is fetched before somebody goes there
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
