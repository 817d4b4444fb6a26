import { useEffect, useState, type ReactNode } from 'react'
import QrGlyph from 'lucide-react/icons/qr-code'
import { useTranslations } from 'use-intl'
import type { Deal } from '../../deals/contract.ts'
import { ShowAtCounter } from '../../deals/web/ShowAtCounter.tsx'
import { useSession, useStored } from '../../accounts/web/session.ts'
import { ActionBar } from '../../kit/browser/ui/ActionBar.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { dealPage, editDealPage, loginPageWithNext, myCodesPage, page } from '../../site-map.ts'
import type { Claim } from '../contract.ts'
import { claimHours } from '../limits.ts'
import { dealAction, mayClaim } from '../policy.ts'
import type { OwnClaims } from './own-claims.ts'
import { useClaiming } from './use-claiming.ts'

/** The main button of a deal's page: what can be done this minute. Give it the deal's id as its key. */
export function DealAction({ deal }: { deal: Deal }) {
  const t = useTranslations('getCode')
  const when = useWhen()
  const { session, role, businessId, heldId, redeemed } = useViewer(deal)
  const action = dealAction(deal, { session, role, businessId, holdsCode: heldId !== null, redeemed }, when.now)
  const { claim, isSending, refused } = useClaiming(deal.deal_id)
  const codesLink = (chunks: ReactNode) => (
    <a href={page.myCodes} className="link">
      {chunks}
    </a>
  )
  const link = (href: string, label: string, icon: ReactNode = <QrGlyph aria-hidden="true" className="size-5" />) => (
    <ButtonLink href={href} variant="primary" size="lg" wide icon={icon}>
      {label}
    </ButtonLink>
  )
  const how = t.rich('how', { codes: codesLink })
  switch (action.is) {
    case 'none':
      return null
    case 'used':
      return <p className="text-ink-soft">{t.rich('used', { codes: codesLink })}</p>
    case 'for_visitors':
      return <p className="text-ink-soft">{t('business')}</p>
    case 'edit':
      return <ActionBar>{link(editDealPage(deal.deal_id), t('edit'), null)}</ActionBar>
    case 'show_code':
      return <ActionBar note={how}>{link(myCodesPage(heldId!), t('show'))}</ActionBar>
    case 'log_in':
      return (
        <ActionBar note={t('guest')}>
          {link(loginPageWithNext(page.userLogin, dealPage(deal.deal_id)), t('get'))}
        </ActionBar>
      )
    case 'get_code':
      return (
        <ActionBar note={!refused && how}>
          {refused && (
            <Notice kind={refused.status === 0 ? 'offline' : 'warn'} role="alert">
              {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
              {refused.code === 'sold_out' && <> {t('soldOut')}</>}
            </Notice>
          )}
          <Button
            variant="primary"
            size="lg"
            wide
            icon={<QrGlyph aria-hidden="true" className="size-5" />}
            loading={isSending}
            loadingText={t('getting')}
            onClick={() => void claim()}
          >
            {t('get')}
          </Button>
        </ActionBar>
      )
    case 'show_at_counter':
      return (
        <ActionBar>
          <ShowAtCounter deal={deal} />
        </ActionBar>
      )
    case 'save': {
      const { from } = action
      const claimableAt = from && deal.redemption_mode === 'code' ? hoursBefore(from, claimHours) : null
      const note =
        action.why === 'sold_out' ? t('soldOut') : claimableAt && t('claimFrom', { time: when.time(claimableAt) })
      // merchants save nothing
      if (session === 'business') return from && <p className="text-ink-soft">{t('from', { time: when.time(from) })}</p>
      return (
        <ActionBar note={note}>
          {from && <p className="text-center font-semibold">{t('from', { time: when.time(from) })}</p>}
          <SaveSlot kind="deal" id={deal.deal_id} name={deal.deal_name} wide />
        </ActionBar>
      )
    }
  }
}

const hoursBefore = (iso: string, hours: number) => new Date(Date.parse(iso) - hours * 3_600_000).toISOString()

/** Who looks at the page, and the open code that they hold: from the offline copy, and from the server for codes of other devices. */
function useViewer(deal: Pick<Deal, 'deal_id' | 'redemption_mode'>) {
  const session = useSession()
  const role = useStored('userType')
  const [found, setFound] = useState<Record<string, OwnClaims>>({})
  const isAsked = session === 'user' && mayClaim(role) && deal.redemption_mode === 'code'
  useEffect(() => {
    if (!isAsked) return
    const left = new AbortController()
    // loaded for visitors only
    import('./own-claims.ts').then(
      ({ followClaim }) => followClaim(deal.deal_id, left.signal, setFound),
      () => {},
    )
    return () => left.abort()
  }, [deal.deal_id, isAsked])
  const own = found[deal.deal_id]
  return {
    session,
    role,
    businessId: useStored('businessId'),
    heldId: heldCode(useStored('myCodes'), deal.deal_id) ?? own?.openId ?? null,
    redeemed: own?.used ?? 0,
  }
}

/**
 * The open claim of a deal in the offline copy. Parsed here without `storedCodes`, to keep the page of a deal small; unreadable: null.
 */
function heldCode(stored: string | null, dealId: string): string | null {
  if (stored === null) return null
  try {
    const { claims, offsetMs } = JSON.parse(stored) as { claims: Partial<Claim>[]; offsetMs: number }
    const isHeld = ({ deal_id, state, expires_at }: Partial<Claim>) =>
      deal_id === dealId && state === 'open' && Date.parse(expires_at!) > Date.now() + offsetMs
    return claims.find(isHeld)?.claim_id ?? null
  } catch {
    return null
  }
}
