import 'texts:accountForms,invoices,paying'
import { useParams } from 'react-router'
import Printer from 'lucide-react/icons/printer'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { francs } from '../../kit/shared/numbers.ts'
import { page } from '../../site-map.ts'
import { getInvoice, type Invoice } from '../contract.ts'
import { usePurchaseName } from './use-purchase-name.ts'
import { useDay } from '../../kit/browser/use-day.ts'

/** The document holds nothing private; the script loads the invoice. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function InvoiceScreen() {
  const t = useTranslations('invoices')
  const frame = useTranslations('frame')
  const { invoice_id: id = '' } = useParams()
  return (
    <MerchantPage title={t('one')} description={t('description')} guest={frame('guest.none')} isForm>
      {() => <LoadedInvoice key={id} id={id} />}
    </MerchantPage>
  )
}

function LoadedInvoice({ id }: { id: string }) {
  const t = useTranslations('invoices')
  const { body, refused, again } = useAnswer(getInvoice, { as: 'background', params: { invoice_id: id } })
  if (refused) return <NotLoaded refused={refused} again={again} />
  if (!body) return <Waiting sizes={['h-96']} />
  return (
    <>
      <Sheet invoice={body} />
      <p className="flex flex-wrap gap-3 print:hidden">
        <Button variant="primary" icon={<Printer aria-hidden="true" className="size-5" />} onClick={() => print()}>
          {t('print')}
        </Button>
        <ButtonLink href={page.invoices}>{t('all')}</ButtonLink>
      </p>
    </>
  )
}

/** The invoice as one sheet of paper, on screen and in print. */
function Sheet({ invoice }: { invoice: Invoice }) {
  const t = useTranslations('invoices')
  const day = useDay()
  const what = usePurchaseName()
  const dayOf = (iso: string) => (iso ? day(iso) : '–')
  return (
    <article className="grid w-full max-w-2xl gap-8 rounded-6 border-2 border-rule bg-surface p-5 sm:p-10 print:max-w-none print:border-0 print:p-0">
      <header className="grid gap-6 sm:grid-cols-2">
        <div>
          <p className="text-sm text-ink-soft">{t('from')}</p>
          <address className="whitespace-pre-line not-italic wrap-anywhere">{invoice.issuer}</address>
          {invoice.vat_id && <p className="text-sm">{invoice.vat_id}</p>}
        </div>
        <div>
          <p className="text-sm text-ink-soft">{t('to')}</p>
          <address className="whitespace-pre-line not-italic wrap-anywhere">{invoice.billed_to}</address>
        </div>
      </header>
      <WaveRule className="text-coral" />
      <div className="grid gap-1">
        <h2 className="text-2xl">{t('number', { number: invoice.number })}</h2>
        <p className="text-ink-soft">{t('paidOn', { date: dayOf(invoice.paid_at) })}</p>
      </div>
      <table className="w-full border-collapse [&_th]:wrap-anywhere">
        <tbody>
          <tr className="border-y-2 border-rule">
            <th scope="row" className="py-3 pr-4 text-left font-normal">
              {what(invoice)}
              <span className="block text-sm text-ink-soft">
                {t('period', { from: dayOf(invoice.period_start), until: dayOf(invoice.period_end) })}
              </span>
              {invoice.deducted && <span className="block text-sm text-ink-soft">{t('deducted')}</span>}
            </th>
            <td className="py-3 text-right align-top">{francs(invoice.amount_chf)}</td>
          </tr>
          {invoice.vat_rate !== null && invoice.vat_chf !== null && (
            <tr>
              <th scope="row" className="pt-3 pr-4 text-left text-sm font-normal text-ink-soft">
                {t('vat', { rate: invoice.vat_rate })}
              </th>
              <td className="pt-3 text-right text-sm">{francs(invoice.vat_chf)}</td>
            </tr>
          )}
          <tr>
            <th scope="row" className="pt-3 pr-4 text-left text-lg">
              {t('total')}
            </th>
            <td className="figure pt-3 text-right text-lg">CHF {francs(invoice.amount_chf)}</td>
          </tr>
          {invoice.refunded_chf > 0 && (
            <tr>
              <th scope="row" className="pt-3 pr-4 text-left">
                {t('refund')}
              </th>
              <td className="pt-3 text-right">−{francs(invoice.refunded_chf)}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p className="text-sm text-ink-soft">{t(invoice.disputed ? 'isDisputed' : 'isPaid')}</p>
    </article>
  )
}
