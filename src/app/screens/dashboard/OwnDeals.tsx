import { useRef, useState } from 'react'
import CopyPlus from 'lucide-react/icons/copy-plus'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../../accounts/web/guards.tsx'
import type { Tier } from '../../../businesses/contract.ts'
import type { OwnDeal } from '../../../deals/contract.ts'
import { mostListed } from '../../../deals/limits.ts'
import { activeDealLimits, tierAbove } from '../../../deals/policy.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { CardSkeletons } from '../../../kit/browser/ui/Skeleton.tsx'
import { Toast } from '../../../kit/browser/ui/Toast.tsx'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'
import { useWide } from '../../../kit/browser/use-wide.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { page } from '../../../site-map.ts'
import { CopyDialog } from './CopyDialog.tsx'
import { isHidden } from './OwnDealFacts.tsx'
import { OwnDealsList } from './OwnDealsList.tsx'
import { OwnDealsTable } from './OwnDealsTable.tsx'
import { useDealActions } from './use-deal-actions.ts'

/** A merchant's deals with their actions: a table on wide screens, a dense list on phones. */
export function OwnDeals({ deals, tier }: { deals: AnswerState<OwnDeal[]>; tier: Tier | null }) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const [copying, setCopying] = useState(false)
  const { shown, isResuming, resumeAll, ...actions } = useDealActions(deals)
  const headline = useRef<HTMLHeadingElement>(null)
  const isWide = useWide()
  const { body, refused } = deals
  const dated = body?.filter((deal) => (deal.starts_at !== null || deal.ends_at !== null) && !isHidden(deal)) ?? []
  return (
    <section aria-labelledby="your-deals" className="grid grid-cols-1 content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="your-deals" ref={headline} tabIndex={-1}>
          {t('deals')}
        </h2>
        <span className="flex flex-wrap gap-3">
          {dated.length > 0 && (
            <Button icon={<CopyPlus aria-hidden="true" className="size-5" />} onClick={() => setCopying(true)}>
              {own('copySeveral')}
            </Button>
          )}
          <ButtonLink href={page.createDeal}>{t('create')}</ButtonLink>
        </span>
      </div>
      {refused && <NotLoaded refused={refused} again={deals.again} text={t('failedDeals')} />}
      {actions.refused && <Refused refused={actions.refused} />}
      {body && body.length > 0 && tier && <Places deals={body} tier={tier} />}
      {body && tier && (
        <PausedByPlan
          deals={body}
          tier={tier}
          isResuming={isResuming}
          onResume={async (paused) => {
            // the button may disappear, and with it the focus
            if (await resumeAll(paused)) headline.current?.focus({ preventScroll: true })
          }}
        />
      )}
      {body && body.length >= mostListed && <p className="text-ink-soft">{own('atMost', { n: mostListed })}</p>}
      {!body && !refused && (
        <div className="grid gap-4 sm:grid-cols-2">
          <CardSkeletons count={2} />
        </div>
      )}
      {body && shown.length === 0 && (
        <div className="grid justify-items-center gap-4 rounded-6 border-2 border-dashed border-rule px-5 pt-8 pb-10 text-center">
          <p className="max-w-96 text-lg">
            {t.rich('empty', {
              link: (chunks) => (
                <a href={page.createDeal} className="link whitespace-nowrap">
                  {chunks}
                </a>
              ),
            })}
          </p>
        </div>
      )}
      {body &&
        shown.length > 0 &&
        (isWide ? <OwnDealsTable deals={shown} {...actions} /> : <OwnDealsList deals={shown} {...actions} />)}
      {copying && (
        <CopyDialog
          deals={dated}
          onClose={() => setCopying(false)}
          onDone={(text) => {
            setCopying(false)
            actions.tell(text)
            deals.again()
          }}
        />
      )}
      <Toast note={actions.note} closeLabel={own('close')} onClose={actions.closeNote} />
    </section>
  )
}

function Refused({ refused }: { refused: RefusedAnswer }) {
  const own = useTranslations('ownDeals')
  return (
    <Notice
      kind="error"
      action={refused.code === 'deal_limit_reached' && <ButtonLink href={page.upgrade}>{own('plans')}</ButtonLink>}
    >
      {refused.error || own('failed')}
    </Notice>
  )
}

/** Deals that were paused by a smaller plan, with a button that resumes as many as the plan allows now, oldest first. */
function PausedByPlan({
  deals,
  tier,
  isResuming,
  onResume,
}: {
  deals: OwnDeal[]
  tier: Tier
  isResuming: boolean
  onResume: (paused: OwnDeal[]) => Promise<void>
}) {
  const own = useTranslations('ownDeals')
  const paused = deals.filter((deal) => deal.paused_by_plan && deal.status === 'paused').toReversed()
  const limit = activeDealLimits[tier]
  const room = limit === null ? paused.length : limit - deals.filter(({ uses_place }) => uses_place).length
  const first = paused.slice(0, Math.max(0, room))
  if (paused.length === 0) return null
  return (
    <Notice
      action={
        first.length > 0 && (
          <Button loading={isResuming} onClick={() => void onResume(first)}>
            {own('resumeAll', { n: first.length })}
          </Button>
        )
      }
    >
      {own('pausedByPlan', { n: paused.length })}
    </Notice>
  )
}

/** How many active deals the tier has and allows, with a link to a higher tier when none is left. */
function Places({ deals, tier }: { deals: OwnDeal[]; tier: Tier }) {
  const own = useTranslations('ownDeals')
  const limit = activeDealLimits[tier]
  const active = deals.filter(({ uses_place }) => uses_place).length
  if (limit === null) return null
  const above = tierAbove[tier]
  return (
    <p className="text-ink-soft">
      {own('places', { active, limit })}{' '}
      {active >= limit && above && (
        <a href={page.upgrade} className="link">
          {own('morePlaces', { tier: above })}
        </a>
      )}
    </p>
  )
}
