import 'texts:accountForms,forms,invoices,paying'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Badge } from '../../brand/Badge.tsx'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { usePages } from '../../kit/browser/use-pages.ts'
import { invoicePage, page } from '../../site-map.ts'
import { type Invoice, listInvoices } from '../contract.ts'
import { BillingAddress } from './BillingAddress.tsx'
import { usePurchaseName } from './use-purchase-name.ts'
import { useDay } from '../../kit/browser/use-day.ts'

/** The document holds nothing private; the script loads the invoices. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function InvoicesScreen() {
  const t = useTranslations('invoices')
  const frame = useTranslations('frame')
  return (
    <MerchantPage title={t('title')} description={t('description')} lead={t('lead')} guest={frame('guest.none')}>
      {(businessId) => (
        <div key={businessId} className="grid gap-10">
          <Invoices />
          <BillingAddress />
        </div>
      )}
    </MerchantPage>
  )
}

function Invoices() {
  const t = useTranslations('invoices')
  const { items, isCut, refused, more, again } = usePages(listInvoices, (query) => ({ as: 'background', query }))
  const failure = refused && <NotLoaded refused={refused} again={again} />
  if (!items) return failure ?? <Waiting sizes={['h-64']} />
  if (items.length === 0)
    return (
      <EmptyState
        title={t('none')}
        action={
          <ButtonLink href={page.upgrade} variant="primary">
            {t('toPlans')}
          </ButtonLink>
        }
      />
    )
  return (
    <div className="grid gap-5">
      <ul className="grid gap-3">
        {items.map((each) => (
          <Line key={each.invoice_id} invoice={each} />
        ))}
      </ul>
      {failure}
      {isCut && (
        <Button onClick={more} className="justify-self-center">
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Line({ invoice }: { invoice: Invoice }) {
  const t = useTranslations('invoices')
  const day = useDay()
  const what = usePurchaseName()
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
