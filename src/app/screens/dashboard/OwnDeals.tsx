import { useState, type ReactNode } from 'react'
import { Archive, CopyPlus, Pause, Play, Copy } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Badge, type Tone } from '../../../brand/Badge.tsx'
import type { Tier } from '../../../businesses/contract.ts'
import { archiveDeal, duplicateDeal, pauseDeal, resumeDeal, type OwnDeal } from '../../../deals/web/editing/calls.ts'
import { activeDealLimits, tierAbove } from '../../../deals/policy.ts'
import { dealPicture } from '../../../deals/web/DealCard.tsx'
import { ask } from '../../../kit/browser/asking.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { Button, ButtonLink, IconButton } from '../../../kit/browser/ui/Button.tsx'
import { Card, CardPicture } from '../../../kit/browser/ui/Card.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { CardSkeletons } from '../../../kit/browser/ui/Skeleton.tsx'
import { Toast, useToast } from '../../../kit/browser/ui/Toast.tsx'
import { WaveRule } from '../../../kit/browser/ui/WaveRule.tsx'
import type { Asked } from '../../../kit/browser/use-answer.ts'
import { useWhen } from '../../../kit/browser/when.ts'
import { useWide } from '../../../kit/browser/use-wide.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { dealPage, editDealPage, page } from '../../../site-map.ts'
import { CopyDialog } from './CopyDialog.tsx'
import { Sparkline } from './Sparkline.tsx'
import { usePeriod } from './use-period.ts'

/** A merchant's deals: a row each where there is room for a table, cards on phones; and what can be done with them. */
export function OwnDeals({ deals, tier }: { deals: Asked<OwnDeal[]>; tier: Tier | null }) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const [copying, setCopying] = useState(false)
  const actions = useActions(deals)
  const isWide = useWide()
  const { body, refused } = deals
  const dated = body?.filter(({ starts_at, ends_at }) => starts_at !== null || ends_at !== null) ?? []
  return (
    <section aria-labelledby="your-deals" className="grid grid-cols-1 content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="your-deals">{t('deals')}</h2>
        <span className="flex flex-wrap gap-3">
          {dated.length > 0 && (
            <Button icon={<CopyPlus aria-hidden="true" className="size-5" />} onClick={() => setCopying(true)}>
              {own('copySeveral')}
            </Button>
          )}
          <ButtonLink href={page.createDeal} variant="primary">
            {t('create')}
          </ButtonLink>
        </span>
      </div>
      {refused && (
        <Notice kind="warn" action={<Button onClick={deals.again}>{t('again')}</Button>}>
          {refused.error || t('failedDeals')}
        </Notice>
      )}
      {actions.refused && <Refused refused={actions.refused} />}
      {body && body.length > 0 && tier && <Places deals={body} tier={tier} />}
      {!body && !refused && (
        <div className="grid gap-4 sm:grid-cols-2">
          <CardSkeletons count={2} label={t('loading')} />
        </div>
      )}
      {body?.length === 0 && (
        <div className="grid justify-items-center gap-4 rounded-6 border-2 border-dashed border-rule px-5 pt-8 pb-10 text-center">
          <WaveRule className="max-w-64 text-water" />
          <p className="max-w-96 text-lg">
            {t.rich('empty', {
              link: (chunks) => (
                <a href={page.createDeal} className="link">
                  {chunks}
                </a>
              ),
            })}
          </p>
        </div>
      )}
      {body && body.length > 0 && (isWide ? <Table deals={body} {...actions} /> : <Cards deals={body} {...actions} />)}
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

/** How many of the tier's places are in use, and the way on where none is left. */
function Places({ deals, tier }: { deals: OwnDeal[]; tier: Tier }) {
  const own = useTranslations('ownDeals')
  const limit = activeDealLimits[tier]
  const active = deals.filter(({ status }) => ['active', 'scheduled', 'sold_out'].includes(status)).length
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

interface Tapped {
  as: 'action'
  params: { deal_id: string }
}
/** What one tap does to a deal. */
const taps = {
  pause: (tapped: Tapped) => ask(callByFetch, pauseDeal, tapped),
  resume: (tapped: Tapped) => ask(callByFetch, resumeDeal, tapped),
  archive: (tapped: Tapped) => ask(callByFetch, archiveDeal, tapped),
  duplicate: (tapped: Tapped) => ask(callByFetch, duplicateDeal, tapped),
}
type Tap = keyof typeof taps

interface Actions {
  busy: string | null
  act: (deal: OwnDeal, tap: Tap) => void
}

/** Each is one tap; what takes a deal off the lists can be undone in the note that tells of it. */
function useActions(deals: Asked<OwnDeal[]>) {
  const own = useTranslations('ownDeals')
  const navigate = useNavigate()
  const [busy, setBusy] = useState<string | null>(null)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const { note, show, close } = useToast(10_000)

  const send = async (tap: Tap, { deal_id }: OwnDeal) => {
    setBusy(deal_id)
    setRefused(null)
    const outcome = await taps[tap]({ as: 'action', params: { deal_id } })
    setBusy(null)
    setRefused(outcome.refused)
    return outcome.answer
  }
  const change = async (each: Tap[], deal: OwnDeal, text: string, undo?: () => void) => {
    for (const tap of each) if (!(await send(tap, deal))) return
    deals.again()
    show({ text, ...(undo ? { action: { label: own('undo'), onClick: undo } } : {}) })
  }
  const run = async (deal: OwnDeal, tap: Tap) => {
    const name = deal.deal_name
    const resumed = () => void change(['resume'], deal, own('resumed', { name }))
    if (tap === 'pause') return change(['pause'], deal, own('paused', { name }), resumed)
    if (tap === 'resume') return change(['resume'], deal, own('resumed', { name }))
    if (tap === 'duplicate') {
      const copy = await send('duplicate', deal)
      if (copy && 'deal_id' in copy.body) void navigate(editDealPage(copy.body.deal_id))
      return
    }
    // what was live comes back live, and what was paused comes back paused; a draft stays archived
    const back: Tap[] = deal.status === 'paused' ? ['resume', 'pause'] : ['resume']
    const canComeBack = deal.status !== 'draft' && deal.status !== 'expired'
    const undo = () => void change(back, deal, own('restored', { name }))
    return change(['archive'], deal, own('archived', { name }), canComeBack ? undo : undefined)
  }
  return {
    busy,
    refused,
    note,
    closeNote: close,
    tell: (text: string) => show({ text }),
    act: (deal: OwnDeal, tap: Tap) => void run(deal, tap),
  }
}

const tones: Record<string, Tone> = { active: 'moss', scheduled: 'ink', sold_out: 'wine', archived: 'wine' }
const statuses = ['draft', 'scheduled', 'active', 'paused', 'sold_out', 'expired', 'archived'] as const

function Status({ deal }: { deal: OwnDeal }) {
  const t = useTranslations('dashboard')
  const status = statuses.find((each) => each === deal.status)
  return status ? <Badge tone={tones[status] ?? 'plain'}>{t(`dealStatus.${status}`)}</Badge> : null
}

/** By staff, of which a merchant changes nothing; what the merchant archived is not listed. */
const isHidden = (deal: OwnDeal) => deal.status === 'archived'

/** Visitors see no draft, so its details are where it is edited. */
const detailsOf = (deal: OwnDeal) => (deal.status === 'draft' ? editDealPage(deal.deal_id) : dealPage(deal.deal_id))

function Table({ deals, busy, act }: { deals: OwnDeal[] } & Actions) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const head = 'px-3 py-2 text-sm font-semibold whitespace-nowrap'
  const number = 'px-3 py-1.5 text-right tabular-nums'
  return (
    <div className="overflow-x-auto rounded-6 border-2 border-rule bg-surface">
      <table className="w-full border-collapse text-left">
        <thead className="border-b-2 border-rule">
          <tr>
            <th className={head}>{own('deal')}</th>
            <th className={head}>{own('state')}</th>
            <th className={head}>{own('period')}</th>
            <th className={`${head} text-right`}>{own('views')}</th>
            <th className={`${head} text-right`}>{own('claims')}</th>
            <th className={`${head} text-right`}>{own('redemptions')}</th>
            <th className={head}>{own('trend')}</th>
            <th className={head}>{own('actions')}</th>
          </tr>
        </thead>
        <tbody>
          {deals.map((deal) => (
            <tr key={deal.deal_id} className="border-b border-hair last:border-b-0">
              <th scope="row" className="max-w-72 px-3 py-1.5 font-normal">
                <span className="line-clamp-2 leading-tight font-semibold wrap-anywhere">{deal.deal_name}</span>
                {(deal.price || deal.discount) && (
                  <span className="line-clamp-1 text-sm text-ink-soft wrap-anywhere">
                    <Prices deal={deal} />
                  </span>
                )}
                <Hint deal={deal} />
              </th>
              <td className="px-3 py-1.5">
                <Status deal={deal} />
              </td>
              <td className="px-3 py-1.5 text-sm">
                <Period deal={deal} />
              </td>
              <td className={number}>{deal.figures?.views ?? '–'}</td>
              <td className={number}>{deal.figures?.claims ?? '–'}</td>
              <td className={number}>{deal.figures?.redemptions ?? '–'}</td>
              <td className="px-3 py-1.5">{deal.figures && <Sparkline values={deal.figures.trend} />}</td>
              <td className="px-3 py-1.5">
                {!isHidden(deal) && (
                  <span className="flex items-center gap-x-3 whitespace-nowrap">
                    <Way href={detailsOf(deal)}>{t('view')}</Way>
                    <Way href={editDealPage(deal.deal_id)}>{t('edit')}</Way>
                    <Buttons deal={deal} busy={busy} act={act} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cards({ deals, busy, act }: { deals: OwnDeal[] } & Actions) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      {deals.map((deal) => (
        <Card key={deal.deal_id} as="li" layout="auto" picture={<CardPicture src={dealPicture(deal)} />}>
          <p className="flex flex-wrap items-center gap-2">
            <Status deal={deal} />
            <span className="text-sm text-ink-soft">
              <Period deal={deal} />
            </span>
          </p>
          <h3 className="leading-tight [overflow-wrap:anywhere]">{deal.deal_name}</h3>
          {deal.description && (
            <p className="line-clamp-2 text-sm text-ink-soft [overflow-wrap:anywhere]">{deal.description}</p>
          )}
          <p className="font-semibold [overflow-wrap:anywhere]">
            <Prices deal={deal} />
          </p>
          <Hint deal={deal} />
          {deal.figures && (
            <p className="text-sm text-ink-soft">
              {own('figures', {
                views: deal.figures.views,
                claims: deal.figures.claims ?? 0,
                redemptions: deal.figures.redemptions,
              })}
            </p>
          )}
          {!isHidden(deal) && (
            <p className="mt-auto flex flex-wrap items-center gap-x-4 pt-1">
              <Way href={detailsOf(deal)}>{t('view')}</Way>
              <Way href={editDealPage(deal.deal_id)}>{t('edit')}</Way>
              <Buttons deal={deal} busy={busy} act={act} />
            </p>
          )}
        </Card>
      ))}
    </ul>
  )
}

function Prices({ deal }: { deal: OwnDeal }) {
  const t = useTranslations('dashboard')
  return (
    <>
      {deal.price && <span>{t('price', { price: deal.price })}</span>}
      {deal.price && deal.discount && ' · '}
      {deal.discount && <span className="text-action-text">{t('discount', { discount: deal.discount })}</span>}
    </>
  )
}

/** Why visitors do not find it, or not on the map, where that is no decision of the merchant. */
function Hint({ deal }: { deal: OwnDeal }) {
  const own = useTranslations('ownDeals')
  const { now } = useWhen()
  const isOver = deal.ends_at !== null && Date.parse(deal.ends_at) <= now
  const text = isHidden(deal)
    ? own('hidden')
    : deal.status === 'expired' && !isOver
      ? own('neverUsable')
      : deal.latitude === null
        ? own('noPlace')
        : null
  return text && <span className="block text-sm font-semibold text-lantern-text">{text}</span>
}

function Period({ deal }: { deal: OwnDeal }) {
  return usePeriod()(deal)
}

function Buttons({ deal, busy, act }: { deal: OwnDeal } & Actions) {
  const own = useTranslations('ownDeals')
  const isBusy = busy === deal.deal_id
  const name = deal.deal_name
  const runs = ['active', 'scheduled', 'sold_out'].includes(deal.status)
  return (
    <span className="-ml-2 inline-flex max-lg:flex-wrap">
      {runs && (
        <IconButton
          label={own('pause', { name })}
          icon={<Pause aria-hidden="true" className="size-5" />}
          disabled={isBusy}
          onClick={() => act(deal, 'pause')}
        />
      )}
      {(deal.status === 'paused' || deal.status === 'draft') && (
        <IconButton
          label={deal.status === 'draft' ? own('publish', { name }) : own('resume', { name })}
          icon={<Play aria-hidden="true" className="size-5" />}
          disabled={isBusy}
          onClick={() => act(deal, 'resume')}
        />
      )}
      <IconButton
        label={own('copy', { name })}
        icon={<Copy aria-hidden="true" className="size-5" />}
        disabled={isBusy}
        onClick={() => act(deal, 'duplicate')}
      />
      <IconButton
        label={own('archive', { name })}
        icon={<Archive aria-hidden="true" className="size-5" />}
        disabled={isBusy}
        onClick={() => act(deal, 'archive')}
      />
    </span>
  )
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="link inline-flex min-h-11 items-center">
      {children}
    </a>
  )
}
