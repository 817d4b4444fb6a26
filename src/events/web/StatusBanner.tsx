import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { eventsPage } from '../../site-map.ts'
import type { Event } from '../contract.ts'
import { useEventWhen } from './use-event-when.ts'

/** Says that an event is moved, delayed or cancelled, and what was announced before. */
export function StatusBanner({ event }: { event: Event }) {
  const t = useTranslations('event')
  const when = useEventWhen()
  const { status, previous } = event
  if (status === 'cancelled')
    return (
      <Notice
        kind="warn"
        title={t('isCancelled')}
        action={<ButtonLink href={eventsPage({ day: event.festival_day })}>{t('others')}</ButtonLink>}
      />
    )
  if (when.isOver(event)) return <Notice kind="info" title={t('isOver')} />
  if (!previous) return null
  const start = previous.starts_at
  const lines = [
    start &&
      (when.isoDay(start) === when.isoDay(event.starts_at)
        ? t('before', { time: when.clock(start) })
        : t('beforeDay', { day: when.day(when.isoDay(start)), time: when.clock(start) })),
    previous.venue && t('beforeAt', { place: previous.venue }),
  ].filter(Boolean)
  return (
    <Notice kind="warn" title={t(previous.venue ? 'isMoved' : 'isDelayed')}>
      <p>{lines.join(' ')}</p>
    </Notice>
  )
}
