import { useEffect, useRef, useState, type ReactNode } from 'react'
import QrGlyph from 'lucide-react/icons/qr-code'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Deal } from '../../deals/contract.ts'
import type { Claim } from '../contract.ts'
import type { OwnClaims } from './own-claims.ts'
import { useSession, useStored } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { claimHours } from '../limits.ts'
import { hasReachedLimit, mayClaim, claimFault } from '../policy.ts'
import { dealPage, loginPageWithNext, myCodesPage, page } from '../../site-map.ts'

const notReached = { claim: null, refused: { status: 0, code: 'offline', error: '' } }

/** On the page of a deal that needs a code. Guests log in first and return to the deal. */
export function GetCode({
  deal,
}: {
  deal: Pick<Deal, 'deal_id' | 'status' | 'redemption_mode' | 'usable_now' | 'usable_from' | 'per_user_limit'>
}) {
  const t = useTranslations('getCode')
  const session = useSession()
  const role = useStored('userType')
  const isVisitor = session === 'user' && mayClaim(role)
  const navigate = useNavigate()
  const when = useWhen()
  const [sending, setSending] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [found, setFound] = useState<Record<string, OwnClaims>>({})
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const isAsked = isVisitor && deal.redemption_mode === 'code'
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
  const held = heldCode(useStored('myCodes'), deal.deal_id) ?? own?.openId
  if (deal.redemption_mode !== 'code') return null
  const fault = held ? null : claimFault(deal)
  if (fault === 'sold_out') return <p className="text-ink-soft">{t('soldOut')}</p>
  if (fault) return null
  if (session !== 'guest' && !isVisitor) return <p className="text-ink-soft">{t('business')}</p>
  const codesLink = (chunks: ReactNode) => (
    <a href={page.myCodes} className="link">
      {chunks}
    </a>
  )
  if (!held && own && hasReachedLimit(own.used, deal))
    return <p className="text-ink-soft">{t.rich('used', { codes: codesLink })}</p>
  const opensAt = deal.usable_now === false ? codesFrom(deal.usable_from) : 0
  if (!held && opensAt > when.now)
    return <p className="text-ink-soft">{t('from', { time: when.time(new Date(opensAt).toISOString()) })}</p>
  const how = t.rich('how', { codes: codesLink })
  const icon = <QrGlyph aria-hidden="true" className="size-5" />
  if (held || session === 'guest')
    return (
      <div className="grid gap-1.5">
        <ButtonLink
          href={held ? myCodesPage(held) : loginPageWithNext(page.userLogin, dealPage(deal.deal_id))}
          variant="primary"
          size="lg"
          icon={icon}
          wide
        >
          {t(held ? 'show' : 'get')}
        </ButtonLink>
        <p className="text-sm text-ink-soft">{held ? how : t('guest')}</p>
      </div>
    )
  const claim = async () => {
    setSending(true)
    const { claim, refused } = await import('./own-claims.ts').then(
      ({ claimCode }) => claimCode(deal.deal_id),
      () => notReached,
    )
    setSending(false)
    setRefused(refused)
    // visitors who have left the page are not moved
    if (claim && isShown.current) await navigate(myCodesPage(claim.claim_id))
  }
  return (
    <div className="grid gap-1.5">
      <Button
        variant="primary"
        size="lg"
        icon={icon}
        loading={sending}
        loadingText={t('getting')}
        onClick={() => void claim()}
        wide
      >
        {t('get')}
      </Button>
      {refused ? (
        <Notice kind={refused.status === 0 ? 'offline' : 'warn'} role="alert">
          {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
          {refused.code === 'sold_out' && <> {t('soldOut')}</>}
        </Notice>
      ) : (
        <p className="text-sm text-ink-soft">{how}</p>
      )}
    </div>
  )
}

/** When a code can be claimed, ms since 1970; 0: now. */
const codesFrom = (usableFrom: string | null) =>
  usableFrom === null ? 0 : Date.parse(usableFrom) - claimHours * 3_600_000

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
