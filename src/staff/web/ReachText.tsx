import { useTranslations } from 'use-intl'
import type { Reach } from '../contract.ts'

/** The number by which an action is confirmed. */
export const thingsOf = ({ hidden, shown, changed }: Reach): number => hidden + shown + changed

/** How many public things and how many people an action concerns, before it is done. */
export function ReachText({ reach }: { reach: Reach }) {
  const t = useTranslations('staff')
  return (
    <p>
      <strong>{t('reach', { ...reach })}</strong> {reach.kind === 'event' && reach.people > 0 && t('reachTold')}
    </p>
  )
}
