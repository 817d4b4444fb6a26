import { useTranslations } from 'use-intl'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { savedDealsPage, savedEventsPage } from '../../site-map.ts'

/** A guest's saved things are two lists; each leads to the other, with the number of its things. */
export function SavedTabs({ current }: { current: 'events' | 'deals' }) {
  const t = useTranslations('frame')
  const events = usePicks(scheduleOutbox).length
  const deals = usePicks('favorites').length
  const tab = (key: 'events' | 'deals', href: string, n: number) => ({
    key,
    href,
    current: key === current,
    label: n > 0 ? `${t(key)} (${n})` : t(key),
  })
  return (
    <Segments
      label={t('savedHere')}
      segments={[tab('events', savedEventsPage, events), tab('deals', savedDealsPage, deals)]}
    />
  )
}
