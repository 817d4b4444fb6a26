import 'texts:accountForms,analytics'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { getSubscription } from '../../businesses/contract.ts'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { page } from '../../site-map.ts'
import { figuresOfTier } from '../policy.ts'
import { getBusinessAnalytics, getDealAnalytics } from '../contract.ts'
import { Charts } from './Charts.tsx'
import { DealFigures } from './DealFigures.tsx'
import { ExportButton } from './ExportButton.tsx'
import { furthestStep, steps, type Step } from './findings.ts'
import { Funnel } from './Funnel.tsx'
import { ThreeFigures } from './ThreeFigures.tsx'
import { WhatIf } from './WhatIf.tsx'

/** The document holds no private data: the browser loads it. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** `/deal-analytics?days=7|30|all&deal={deal_id}&show=opens` */
export default function DealAnalyticsScreen() {
  const t = useTranslations('analytics')
  const frame = useTranslations('frame')
  return (
    <MerchantPage title={t('title')} description={t('description')} lead={t('lead')} guest={frame('guest.none')}>
      {(businessId) => <ByTier key={businessId} businessId={businessId} />}
    </MerchantPage>
  )
}

function ByTier({ businessId }: { businessId: string }) {
  const { body, refused, again } = useAnswer(getSubscription, {
    as: 'background',
    params: { business_id: businessId },
  })
  if (refused) return <NotLoaded refused={refused} again={again} />
  if (!body) return <Waiting sizes={['h-64']} />
  const may = figuresOfTier[body.subscription_tier]
  return may.charts ? <Figures businessId={businessId} may={may} /> : <ThreeFigures businessId={businessId} />
}

const ranges = ['7', '30', 'all'] as const

function Figures({ businessId, may }: { businessId: string; may: { exports: boolean; whatIf: boolean } }) {
  const t = useTranslations('analytics')
  const [address] = useSearchParams()
  const { isoDay } = useWhen()
  const range = ranges.find((each) => each === address.get('days')) ?? '7'
  const deal = address.get('deal')
  const query = range === 'all' ? {} : { from: daysBefore(isoDay(), Number(range) - 1) }
  const ofAll = useAnswer(
    getBusinessAnalytics,
    deal ? null : { as: 'background', params: { business_id: businessId }, query },
  )
  const ofOne = useAnswer(getDealAnalytics, deal ? { as: 'background', params: { deal_id: deal }, query } : null)
  const { body, refused, again } = deal ? ofOne : ofAll
  const to = (more: Record<string, string | null>) => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries(more)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    return `${page.dealAnalytics}?${next.toString()}`
  }
  const shown = steps.find((step) => step === address.get('show')) ?? (body && chartedStep(furthestStep(body.total)))
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Segments
          label={t('range')}
          segments={ranges.map((each) => ({
            key: each,
            href: to({ days: each }),
            label: t(`ranges.${each === 'all' ? 'all' : `last${each}`}`),
            current: each === range,
          }))}
        />
        {may.exports && body && <ExportButton businessId={businessId} query={query} />}
      </div>
      {deal && (
        <p className="flex flex-wrap items-center gap-x-4">
          {body?.by_deal[0] && (
            <span className="text-lg font-semibold wrap-anywhere">
              {t('only', { name: body.by_deal[0].deal_name })}
            </span>
          )}
          <a href={to({ deal: null })} className="link inline-flex min-h-11 items-center">
            {t('allDeals')}
          </a>
        </p>
      )}
      {refused && <NotLoaded refused={refused} again={again} />}
      {!body && !refused && <Waiting sizes={['h-40', 'h-64']} />}
      {body && !shown && <EmptyState title={t('nothing')}>{t('nothingText')}</EmptyState>}
      {body && shown && (
        <>
          <Funnel analytics={body} range={range} deals={deal ? 'one' : 'all'} />
          <Charts analytics={body} shown={shown} to={(step) => to({ show: step })} />
          {!deal && <DealFigures analytics={body} to={(id) => to({ deal: id })} />}
        </>
      )}
      {deal && !refused && may.whatIf && <WhatIf key={deal} dealId={deal} />}
    </>
  )
}

/** Charts show opens by default: redemptions are too few to show when people are interested. */
const chartedStep = (step: Step | null): Step | null => (step === null || step === 'impressions' ? step : 'opens')

/** `day` is `YYYY-MM-DD`. */
function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - count * 24 * 3_600_000).toISOString().slice(0, 10)
}
