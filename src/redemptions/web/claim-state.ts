import { useTranslations } from 'use-intl'
import type { TicketState } from '../../deals/web/Ticket.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { Claim } from '../contract.ts'

type StatedClaim = Pick<Claim, 'state' | 'usable_from' | 'expires_at'>

/** The state of a code at `now`, the server's time in ms since 1970. Offline, only the clock tells that it has expired. */
export function claimState(claim: StatedClaim, now: number): TicketState {
  if (claim.state === 'redeemed') return 'redeemed'
  if (claim.state !== 'open' || Date.parse(claim.expires_at) <= now) return 'over'
  return claim.usable_from !== '' && Date.parse(claim.usable_from) > now ? 'later' : 'valid'
}

/** That state in words. */
export function useClaimBand(claim: StatedClaim, now: number): { state: TicketState; text: string } {
  const t = useTranslations('ticket')
  const when = useWhen()
  const state = claimState(claim, now)
  if (state === 'later') return { state, text: t('from', { time: when.time(claim.usable_from) }) }
  if (state === 'valid') return { state, text: t('until', { time: when.time(claim.expires_at) }) }
  return { state, text: t(state === 'redeemed' ? 'redeemed' : 'expired') }
}
