import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { priceRappen, rankOf, samePlan, type Plan } from '../policy.ts'
import type { MySubscription } from '../contract.ts'
import { dueToday, planOf } from './due-today.ts'
import { useDay } from '../../kit/browser/use-day.ts'

/** Says what confirming the plan change does and costs. */
export function WhatHappens({ paid, wanted }: { paid: MySubscription; wanted: Plan }) {
  const t = useTranslations('upgrade')
  const day = useDay()
  const [openedAt] = useState(Date.now)
  const due = dueToday(paid, wanted, openedAt)
  const current = planOf(paid)
  const { pending_change: change, cancel_at_period_end: isCancelled, current_period_end: end } = paid
  return (
    <>
      {current && isCancelled && end && (
        <Notice kind="warn">
          {t('cancelled', { date: day(end), change: samePlan(current, wanted) ? 'none' : 'another' })}
        </Notice>
      )}
      {current && change && !isCancelled && (
        <Notice kind="warn">
          {t('changes', {
            plan: `${change.tier}_${change.interval}`,
            date: day(change.at),
            outcome: samePlan(change, wanted) ? 'stays' : samePlan(current, wanted) ? 'goes' : 'another',
          })}
        </Notice>
      )}
      {due && (
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
      )}
      {current && paid.status === 'active' && rankOf(wanted.tier) < rankOf(current.tier) && (
        <p className="max-w-[60ch]">{t('due.fewerDeals', { places: t(`places.${wanted.tier}`) })}</p>
      )}
    </>
  )
}
