import 'texts:dealStatus'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { dealsPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'

/** Why the deal cannot be used now, and where to go instead. */
export default function DealStatusBanner({ deal }: { deal: Deal }) {
  const t = useTranslations('dealStatus')
  const when = useWhen()
  const texts: Partial<Record<Deal['status'], string>> = {
    scheduled: deal.starts_at ? t('scheduled', { when: when.moment(deal.starts_at, true) }) : t('scheduledSoon'),
    paused: t('paused'),
    expired:
      deal.over_because === 'hours'
        ? t('overByHours')
        : deal.ends_at
          ? t('expiredAt', { when: when.time(deal.ends_at) })
          : t('expired'),
    sold_out: t('sold_out'),
  }
  const text = texts[deal.status]
  if (!text) return null
  const isOver = deal.status !== 'scheduled'
  return (
    <Notice
      kind={isOver ? 'warn' : 'info'}
      title={text}
      action={isOver ? <ButtonLink href={dealsPage({ category: deal.category })}>{t('others')}</ButtonLink> : undefined}
    />
  )
}
