import 'texts:accountForms,forms,invoices,paying'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Badge } from '../../brand/Badge.tsx'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { chfShort } from '../../kit/browser/measures.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { invoicePage, page } from '../../site-map.ts'
import { type Invoice, listInvoices } from '../contract.ts'
import { BillingAddress } from './BillingAddress.tsx'
import { BusinessPage } from './BusinessPage.tsx'
import { useWhatWasPaid } from './use-what-was-paid.ts'
import { useDay } from './use-day.ts'

/** The document holds nothing private; the script loads the invoices. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function InvoicesScreen() {
  const t = useTranslations('invoices')
  const frame = useTranslations('frame')
  return (
    <BusinessPage title={t('title')} description={t('description')} lead={t('lead')} guest={frame('guest.none')}>
      {(businessId) => (
        <div key={businessId} className="grid gap-10">
          <Invoices />
          <BillingAddress />
        </div>
      )}
    </BusinessPage>
  )
}

const atOnce = 20

function Invoices() {
  const t = useTranslations('invoices')
  const [list, setList] = useState<{ items: Invoice[]; next: string | null } | null>(null)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const load = useEffectEvent(() => {
    const after = list?.next ?? undefined
    return ask(callByFetch, listInvoices, { as: 'background', query: { limit: atOnce, after } })
  })
  const [times, setTimes] = useState(0)
  const again = () => setTimes((count) => count + 1)
  useEffect(() => {
    let late = false
    void load().then(({ answer, refused: no }) => {
      if (late) return
      setRefused(no)
      if (answer) setList((before) => ({ items: [...(before?.items ?? []), ...answer.body], next: answer.next }))
    })
    return () => {
      late = true
    }
  }, [times])

  const failure = refused && (
    <NotLoaded refused={refused} again={again} text={{ failed: t('failed'), again: t('again') }} />
  )
  if (!list) return failure ?? <Skeleton className="h-64" />
  if (list.items.length === 0)
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-lg">{t('none')}</p>
        <ButtonLink href={page.upgrade}>{t('toPlans')}</ButtonLink>
      </div>
    )
  return (
    <div className="grid gap-5">
      <ul className="grid gap-3">
        {list.items.map((each) => (
          <Line key={each.invoice_id} invoice={each} />
        ))}
      </ul>
      {failure}
      {list.next !== null && (
        <Button onClick={again} className="justify-self-center">
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Line({ invoice }: { invoice: Invoice }) {
  const t = useTranslations('invoices')
  const day = useDay()
  const what = useWhatWasPaid()
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 rounded-6 border-2 border-rule bg-surface p-4">
      <a
        href={invoicePage(invoice.invoice_id)}
        className="link inline-flex min-h-11 items-center text-lg font-semibold"
      >
        {what(invoice)}
      </a>
      <p className="figure text-xl">{chfShort(invoice.amount_chf)}</p>
      <p className="text-sm text-ink-soft">
        {invoice.number} · {invoice.paid_at && day(invoice.paid_at)}
      </p>
      <p className="justify-self-end">
        {invoice.disputed ? (
          <Badge tone="wine">{t('disputed')}</Badge>
        ) : invoice.refunded_chf > 0 ? (
          <Badge tone="ink">{t('refunded', { amount: chfShort(invoice.refunded_chf) })}</Badge>
        ) : (
          <Badge tone="moss">{t('paid')}</Badge>
        )}
      </p>
    </li>
  )
}
