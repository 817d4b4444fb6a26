import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { chfShort } from '../../kit/browser/measures.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { priceRappen, rankOf, samePlan, type Plan } from '../policy.ts'
import type { MySubscription } from '../contract.ts'
import { dueToday, planOf, type Due } from './due-today.ts'
import { useDay } from './use-day.ts'

/** Says what confirming the plan change does and costs. */
export function WhatHappens({ paid, wanted }: { paid: MySubscription; wanted: Plan }) {
  const [openedAt] = useState(Date.now)
  const due = dueToday(paid, wanted, openedAt)
  return (
    <>
      <CancellationGoes paid={paid} wanted={wanted} />
      <ChangeGoes paid={paid} wanted={wanted} />
      {due && <WhatIsDue due={due} />}
      <FewerDeals paid={paid} wanted={wanted} />
    </>
  )
}

/** Says that choosing a plan takes back the cancellation. */
function CancellationGoes({ paid, wanted }: { paid: MySubscription; wanted: Plan }) {
  const t = useTranslations('upgrade')
  const day = useDay()
  const current = planOf(paid)
  if (!paid.cancel_at_period_end || !paid.current_period_end || !current) return null
  return (
    <Notice kind="warn">
      {t('cancelled', {
        date: day(paid.current_period_end),
        change: samePlan(current, wanted) ? 'none' : 'another',
      })}
    </Notice>
  )
}

/** Says what becomes of a planned change. */
function ChangeGoes({ paid, wanted }: { paid: MySubscription; wanted: Plan }) {
  const t = useTranslations('upgrade')
  const day = useDay()
  const { pending_change: change } = paid
  const current = planOf(paid)
  if (!change || paid.cancel_at_period_end || !current) return null
  return (
    <Notice kind="warn">
      {t('changes', {
        plan: `${change.tier}_${change.interval}`,
        date: day(change.at),
        outcome: samePlan(change, wanted) ? 'stays' : samePlan(current, wanted) ? 'goes' : 'another',
      })}
    </Notice>
  )
}

/** Says that a lower tier allows fewer deals. */
function FewerDeals({ paid, wanted }: { paid: MySubscription; wanted: Plan }) {
  const t = useTranslations('upgrade')
  const current = planOf(paid)
  if (!current || paid.status !== 'active' || rankOf(wanted.tier) >= rankOf(current.tier)) return null
  return <p className="max-w-[60ch]">{t('due.fewerDeals', { places: t(`places.${wanted.tier}`) })}</p>
}

function WhatIsDue({ due }: { due: Due }) {
  const t = useTranslations('upgrade')
  const day = useDay()
  return (
    <output className="block max-w-[60ch] font-semibold">
      {due.kind === 'same' && t('due.same')}
      {due.kind === 'later' && t('due.later', { date: day(due.at) })}
      {due.kind === 'today' &&
        t(due.isAbout ? 'due.about' : 'due.exact', {
          amount: chfShort(due.chf),
          price: chfShort(priceRappen(due.after) / 100),
          interval: due.after.interval,
        })}
    </output>
  )
}
