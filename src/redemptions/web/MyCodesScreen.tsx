import 'texts:accountForms,deals,forms,myCodes'
import { useState } from 'react'
import QrGlyph from 'lucide-react/icons/qr-code'
import Undo2 from 'lucide-react/icons/undo-2'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { ForLoggedIn, NotLoaded } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { VisitorsOnly } from '../../accounts/web/VisitorsOnly.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { Badge } from '../../brand/Badge.tsx'
import { priceWords } from '../../deals/web/price-words.ts'
import { StateBand } from '../../deals/web/Ticket.tsx'
import { dealPage, page } from '../../site-map.ts'
import { type Claim, returnClaim } from '../contract.ts'
import { CodePanel } from './CodePanel.tsx'
import { claimState, useClaimBand } from './claim-state.ts'
import { serverNow } from './server-clock.ts'
import { useCodes } from './use-codes.ts'

/** The same document for everybody; private content is loaded in the browser. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function MyCodesScreen() {
  const t = useTranslations('myCodes')
  const session = useSession()
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      <AccountPage title={t('title')} lead={t('lead')}>
        <div className="grid max-w-3xl gap-6">
          <ForLoggedIn
            waiting={
              <>
                <NoScript kind="codes" />
                <LateScript kind="page" />
                {waiting}
              </>
            }
          >
            {session === 'business' ? <VisitorsOnly /> : <Codes />}
          </ForLoggedIn>
        </div>
      </AccountPage>
    </>
  )
}

const waiting = <Waiting sizes={['h-28', 'h-28']} />

function Codes() {
  const t = useTranslations('myCodes')
  const [query, setQuery] = useSearchParams()
  const shownId = query.get('code')
  const { codes, refused, load, updateStates, more, isLoadingMore } = useCodes(shownId !== null)
  // renders again each half minute
  useWhen()
  const now = serverNow(codes?.offsetMs ?? 0)
  // a code that expires or is redeemed stays on the screen and says so
  const shown = codes?.claims.find(({ claim_id, state }) => claim_id === shownId && state !== 'returned')
  const isOpen = (claim: Claim) => ['valid', 'later'].includes(claimState(claim, now))
  const open = codes?.claims.filter(isOpen) ?? []
  const past = codes?.claims.filter((claim) => !isOpen(claim)) ?? []
  const isOffline = refused?.status === 0
  const isEmpty = open.length + past.length === 0
  return (
    <>
      {isOffline && !isEmpty && <Notice kind="offline">{t('offline')}</Notice>}
      {refused && (!isOffline || isEmpty) && <NotLoaded refused={refused} again={() => void load()} />}
      {!codes && !refused && waiting}
      {codes && isEmpty && !isOffline && (
        <EmptyState
          title={t('none')}
          action={
            <ButtonLink href={page.deals} variant="primary">
              {t('findDeals')}
            </ButtonLink>
          }
        >
          {t('noneText')}
        </EmptyState>
      )}
      {open.length > 0 && (
        <ul aria-label={t('openOnes')} className="grid gap-4">
          {open.map((claim) => (
            <OpenCode
              key={claim.claim_id}
              claim={claim}
              now={now}
              show={() => setQuery({ code: claim.claim_id })}
              gone={(state) => {
                updateStates([{ ...claim, state }])
                void load()
              }}
            />
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <section aria-labelledby="past" className="grid gap-3">
          <h2 id="past">{t('past')}</h2>
          <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
            {past.map((claim) => (
              <PastCode key={claim.claim_id} claim={claim} />
            ))}
          </ul>
        </section>
      )}
      {more && (
        <Button loading={isLoadingMore} onClick={() => void more()} className="justify-self-start">
          {t('more')}
        </Button>
      )}
      {shown && codes && (
        <CodePanel
          key={shown.claim_id}
          claim={shown}
          offsetMs={codes.offsetMs}
          onClose={() => {
            // a page that was opened with the code shown has no element to return the focus to
            document.getElementById(`show-${shown.claim_id}`)?.focus()
            setQuery({}, { replace: true })
          }}
        />
      )}
    </>
  )
}

function OpenCode({
  claim,
  now,
  show,
  gone,
}: {
  claim: Claim
  now: number
  show: () => void
  gone: (state: 'redeemed' | 'returned') => void
}) {
  const t = useTranslations('myCodes')
  const when = useWhen()
  const say = useTranslations('deals')
  const [asks, setAsks] = useState(false)
  const { send, isSending, refused: fault } = useSend()
  const giveBack = async () => {
    setAsks(false)
    const { refused } = await send(returnClaim, { as: 'action', params: { claim_id: claim.claim_id } })
    if (!refused || refused.status === 404) gone('returned')
    else if (refused.status === 409) gone('redeemed')
  }
  const { state, text } = useClaimBand(claim, now)
  return (
    <li className="grid gap-4 overflow-clip rounded-6 border-2 border-rule bg-surface pb-4 [&>:not(:first-child)]:px-4">
      <StateBand state={state} className="border-b-2 px-4 py-2 text-lg">
        {text}
      </StateBand>
      <div className="grid gap-1">
        <p className="text-xl font-semibold [overflow-wrap:anywhere]">
          <a href={dealPage(claim.deal_id)} className="link">
            {claim.deal_name}
          </a>
        </p>
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          {[claim.business_name, priceWords(claim, say('free'))].filter(Boolean).join(' · ')}
        </p>
        {state === 'later' && <p>{t('goodUntil', { time: when.time(claim.expires_at) })}</p>}
      </div>
      {fault && <Refused refused={fault} tapped />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          size="lg"
          id={`show-${claim.claim_id}`}
          onClick={show}
          icon={<QrGlyph aria-hidden="true" />}
          className="max-sm:w-full"
        >
          {t('show')}
        </Button>
        <Button
          variant="quiet"
          loading={isSending}
          onClick={() => setAsks(true)}
          icon={<Undo2 aria-hidden="true" className="size-5" />}
        >
          {t('giveBack')}
        </Button>
      </div>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t('giveBackTitle')}
        closeLabel={t('close')}
        actions={
          <>
            <Button variant="danger" onClick={() => void giveBack()}>
              {t('giveBack')}
            </Button>
            <Button onClick={() => setAsks(false)}>{t('keep')}</Button>
          </>
        }
      >
        <p>{t('giveBackText', { deal: claim.deal_name })}</p>
      </Dialog>
    </li>
  )
}

/** The colours of the ticket. */
const tones = { redeemed: 'ink', expired: 'wine', returned: 'plain' } as const

function PastCode({ claim }: { claim: Claim }) {
  const t = useTranslations('myCodes')
  const when = useWhen()
  const state = claim.state === 'open' ? 'expired' : claim.state
  // the time of a return is not in the answer
  const at = { expired: claim.expires_at, redeemed: claim.redeemed_at, returned: null }[state]
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
      <span className="min-w-[min(14rem,100%)] flex-1 [overflow-wrap:anywhere]">
        <a href={dealPage(claim.deal_id)} className="link font-semibold">
          {claim.deal_name}
        </a>{' '}
        <span className="text-ink-soft">{claim.business_name}</span>
      </span>
      <span className="flex flex-wrap items-center gap-2 text-ink-soft">
        <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
        {at && when.time(at)}
      </span>
    </li>
  )
}
