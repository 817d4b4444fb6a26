import { useTranslations } from 'use-intl'
import type { Reach } from '../contract.ts'

/** Number of public things that an action affects. Sent as `confirmed`: if several, the server refuses another number. */
export const thingsOf = ({ hidden, shown, changed }: Reach): number => hidden + shown + changed

/** Says how many public things and how many people an action affects. */
export function ReachText({ reach }: { reach: Reach }) {
  const t = useTranslations('staff')
  return (
    <p>
      <strong>{t('reach', { ...reach })}</strong> {reach.kind === 'event' && reach.people > 0 && t('reachTold')}
    </p>
  )
}
