import 'texts:accountForms,invoices,paying,testCheckout'
import { useState } from 'react'
import { useParams } from 'react-router'
import CreditCard from 'lucide-react/icons/credit-card'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { useTranslations } from 'use-intl'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { getTestCheckout, settleTestCheckout, type TestCheckout } from '../contract.ts'
import { leaveFor } from './leave-for.ts'
import { usePurchaseName } from './use-purchase-name.ts'

/** The document holds nothing private; the script loads the checkout. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** Page of the built-in test provider; looks unlike a real payment page on purpose. */
export default function TestCheckoutScreen() {
  const t = useTranslations('testCheckout')
  const frame = useTranslations('frame')
  const { checkout_id: id = '' } = useParams()
  return (
    <MerchantPage title={t('title')} description={t('description')} guest={frame('guest.none')} isForm>
      {() => <Checkout key={id} id={id} />}
    </MerchantPage>
  )
}

function Checkout({ id }: { id: string }) {
  const t = useTranslations('testCheckout')
  const asked = useAnswer(getTestCheckout, { as: 'background', params: { checkout_id: id } })
  const [sending, setSending] = useState<'pay' | 'decline' | null>(null)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const { body } = asked

  async function choose(choice: 'pay' | 'decline') {
    setSending(choice)
    setRefused(null)
    const { answer, refused: no } = await ask(callByFetch, settleTestCheckout, {
      as: 'action',
      params: { checkout_id: id },
      body: { choice },
    })
    if (answer && answer.body.what !== 'card' && leaveFor(ownPath(answer.body.return_path) ?? page.dashboard)) return
    setSending(null)
    if (answer) asked.set(answer.body)
    setRefused(no)
  }

  if (asked.refused) return <NotLoaded refused={asked.refused} again={asked.again} />
  if (!body) return <Waiting sizes={['h-72']} />
  return (
    <section className="grid w-full max-w-xl gap-6 rounded-6 border-2 border-dashed border-ink bg-surface p-5 sm:p-8">
      <p className="flex items-center gap-3 rounded-6 border-2 border-night bg-lantern p-3 font-semibold text-on-lantern">
        <FlaskConical aria-hidden="true" className="size-6 shrink-0" />
        {t('label')}
      </p>
      <Order of={body} />
      {refused && <Notice kind="error">{refused.error || t('failed')}</Notice>}
      {body.status === 'open' ? (
        <div className="grid gap-3">
          <Button
            variant="primary"
            size="lg"
            loading={sending === 'pay'}
            loadingText={t('paying')}
            disabled={sending !== null}
            onClick={() => void choose('pay')}
          >
            {body.what === 'card' ? t('cardWorks') : t('pay', { amount: chfShort(body.amount_chf ?? 0) })}
          </Button>
          <Button disabled={sending !== null} onClick={() => void choose('decline')}>
            {t(body.what === 'card' ? 'cardDeclined' : 'decline')}
          </Button>
        </div>
      ) : (
        <Notice kind={body.status === 'complete' ? 'success' : 'warn'}>{t(`status.${body.status}`)}</Notice>
      )}
      <a href={wayBack(body)} className="link inline-flex min-h-11 items-center justify-self-start">
        {t('back')}
      </a>
    </section>
  )
}

/** Where to go back to: after a payment where its purchase says, else the page that the merchant came from. */
const wayBack = ({ what, status, return_path }: TestCheckout) => {
  if (status === 'complete') return ownPath(return_path) ?? page.dashboard
  return { subscription: page.upgrade, promotion: page.promote, card: page.dashboard }[what]
}

function Order({ of }: { of: TestCheckout }) {
  const t = useTranslations('testCheckout')
  const what = usePurchaseName()
  if (of.what === 'card')
    return (
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-xl">
          <CreditCard aria-hidden="true" className="size-6" />
          {t('card')}
        </h2>
        <p>{t(of.card_works ? 'cardIsGood' : 'cardIsBad')}</p>
      </div>
    )
  return (
    <div className="grid gap-1">
      <h2 className="text-xl">{what({ what: of.what, tier: of.tier, interval: of.interval })}</h2>
      <p className="figure text-4xl leading-none">{chfShort(of.amount_chf ?? 0)}</p>
    </div>
  )
}
