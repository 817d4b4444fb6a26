import { useTranslations } from 'use-intl'
import type { Reach } from '../contract.ts'

/** The number of public things, which an action is confirmed by. */
export const thingsOf = ({ hidden, shown, changed }: Reach): number => hidden + shown + changed

/** Says how many public things and how many people an action will concern. */
export function ReachText({ reach }: { reach: Reach }) {
  const t = useTranslations('staff')
  return (
    <p>
      <strong>{t('reach', { ...reach })}</strong> {reach.kind === 'event' && reach.people > 0 && t('reachTold')}
    </p>
  )
}
