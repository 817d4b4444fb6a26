import 'texts:accountForms,paying,promote'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { SponsoredBadge, LanternShape } from '../../brand/Badge.tsx'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { deleteFormDraft, storeFormDraft, readFormDraft } from '../../kit/browser/form-drafts.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { useNumbers } from '../../kit/browser/measures.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { createPromoSession, getMySubscription, type MySubscription } from '../contract.ts'
import { leaveFor } from './leave-for.ts'
import { useConfirmation } from './use-confirmation.ts'
import { useDay } from '../../kit/browser/use-day.ts'
import { VatLine } from './VatLine.tsx'

/** The document holds nothing private; the script loads the merchant's data. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** Without a business the card and its button are still shown, and say what is missing. */
export default function PromoteScreen() {
  const t = useTranslations('promote')
  return (
    <MerchantPage
      title={t('title')}
      description={t('description')}
      lead={t('lead')}
      guest={<Promote businessId={null} />}
    >
      {(businessId) => <Promote key={businessId} businessId={businessId} />}
    </MerchantPage>
  )
}

function Promote({ businessId }: { businessId: string | null }) {
  const t = useTranslations('promote')
  const frame = useTranslations('frame')
  const day = useDay()
  const [search, setSearch] = useSearchParams()
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const paid = useAnswer(getMySubscription, businessId === null ? null : { as: 'background' })
  const [awaited] = useState(businessId !== null && search.has('paid'))
  const confirmed = useConfirmation<MySubscription>(awaited, (record) => (isPaidAnew(record) ? record : null))
  useEffect(() => {
    if (!confirmed) return
    // Confirm once: coming back to this page later must not look like a new payment.
    deleteFormDraft(page.promote)
    setSearch({}, { replace: true, preventScrollReset: true })
  }, [confirmed, setSearch])
  const mine = confirmed ?? paid.body

  async function pay() {
    if (businessId === null) return setFailure(null)
    setSending(true)
    setFailure(null)
    const before = mine ?? (await ask(callByFetch, getMySubscription, { as: 'background' })).answer?.body
    if (before) storeFormDraft(page.promote, { until: before.featured_until ?? '' })
    else deleteFormDraft(page.promote)
    const { answer, refused } = await ask(callByFetch, createPromoSession, { as: 'action' })
    if (answer?.body.sessionUrl && leaveFor(answer.body.sessionUrl)) return
    setSending(false)
    if (refused) return setFailure(refused.error || t('failed'))
    setFailure(answer.body.sessionUrl ? t('failed') : t('noSession'))
  }

  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)] lg:items-start">
      <section className="grid gap-6 rounded-6 border-2 border-night bg-lantern p-5 text-on-lantern sm:p-8">
        <div className="flex items-start justify-between gap-4">
          <h2 className="poster-type text-on-lantern">{t('headline')}</h2>
          <LanternShape className="size-12 shrink-0 fill-night max-sm:hidden" />
        </div>
        <p className="max-w-[48ch] text-lg">{t('text')}</p>
        <p className="figure text-2xl leading-tight">{t('price')}</p>
        {mine && (
          <p>
            <VatLine paid={mine} />
          </p>
        )}
        {businessId === null && (
          // kind "info", because the edge of a warning cannot be seen on lantern
          <Notice
            kind="info"
            title={frame('guest.promote')}
            role="alert"
            action={
              <ButtonLink href={loginPageWithNext(page.businessLogin, page.promote)}>
                {frame('businessLogin')}
              </ButtonLink>
            }
          />
        )}
        {awaited && !confirmed && <Notice kind="info">{t('waiting')}</Notice>}
        {confirmed?.featured_until && (
          <Notice
            kind="success"
            title={t('done', { date: day(confirmed.featured_until) })}
            action={<ButtonLink href={page.dashboard}>{frame('dashboard')}</ButtonLink>}
          >
            {t('extends')}
          </Notice>
        )}
        {/* what is refused meanwhile says more */}
        {mine?.live_deals === 0 && !failure && (
          <Notice kind="info" action={<ButtonLink href={page.createDeal}>{t('createDeal')}</ButtonLink>}>
            {t('noDeal')}
          </Notice>
        )}
        {failure && <Notice kind="error">{failure}</Notice>}
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button
            variant={confirmed ? 'secondary' : 'primary'}
            size="lg"
            loading={sending}
            loadingText={t('processing')}
            onClick={() => void pay()}
            className="max-sm:w-full"
          >
            {t('pay')}
          </Button>
          <a href={`${page.contact}?topic=merchant`} className="link inline-flex min-h-11 items-center text-on-lantern">
            {t('contact')}
          </a>
        </div>
      </section>
      <div className="grid content-start gap-6">
        {mine?.featured_until && !confirmed && (
          <Notice kind="info" title={t('running', { date: day(mine.featured_until) })}>
            {t('extends')}
          </Notice>
        )}
        <section className="grid gap-3">
          <h2 className="text-xl">{t('how')}</h2>
          <p>
            <SponsoredBadge>{t('sponsored')}</SponsoredBadge>
          </p>
          <ul className="grid list-disc gap-2 pl-5">
            {(['top', 'label', 'fair', 'once'] as const).map((line) => (
              <li key={line}>{t(`lines.${line}`)}</li>
            ))}
          </ul>
        </section>
        {mine?.last_promotion && <LastTime last={mine.last_promotion} />}
      </div>
    </div>
  )
}

const anHourMs = 3_600_000

/**
 * Whether a new promotion was paid. A running one proves nothing: its end must be later than it was before the payment. If that end
 * is not stored, as in another tab, the newest promotion must have been paid just now.
 */
function isPaidAnew({ featured_until: until, promotion_paid_at: paidAt }: MySubscription): boolean {
  if (until === null) return false
  const before = readFormDraft(page.promote)['until']
  return before === undefined ? paidAt !== null && Date.parse(paidAt) > Date.now() - anHourMs : until > before
}

/** Views during the last promotion, beside those of an equal period before. */
function LastTime({ last }: { last: NonNullable<MySubscription['last_promotion']> }) {
  const t = useTranslations('promote')
  const { number } = useNumbers()
  const day = useDay()
  const { now } = useWhen()
  const isOver = Date.parse(last.ends_at) <= now
  const figures = [
    ['views', last.profile_views],
    ['before', last.profile_views_before],
  ] as const
  return (
    <section className="grid gap-3 rounded-6 border-2 border-rule bg-surface p-4 sm:p-5">
      <h2 className="text-xl">{t(isOver ? 'lastTime' : 'thisTime')}</h2>
      <p className="text-ink-soft">{t('span', { from: day(last.starts_at), until: day(last.ends_at) })}</p>
      <dl className="grid grid-cols-2 gap-4">
        {figures.map(([label, count]) => (
          <div key={label} className="grid content-between gap-1">
            <dt className="text-sm">{t(label)}</dt>
            <dd className="figure text-3xl leading-none">{number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
