import type { ListedDeal } from '../../deals/contract.ts'
import type { CardDeal } from '../../deals/web/card-deal.ts'
import type { ListedEvent } from '../../events/contract.ts'
import { isLong, lineEvent, overAt, type LineEvent } from '../../events/web/card-event.ts'

/** An act in one line: when, what, where. */
export interface Act extends LineEvent {
  stage?: string
  latitude?: number
  longitude?: number
}

/** More than are shown, for phones that are too far from some of them. */
const actsSent = 6
/** What ends sooner is not worth the way. */
const leastLeftMs = 10 * 60_000
const soonMs = 2 * 60 * 60_000

interface StageNow {
  now: ListedEvent | null
  next: ListedEvent | null
}

/**
 * What one can hear now or soon: running acts, those that began last first, then the next ones; without either the first ones to
 * come. Music comes before talks and workshops. Exhibitions and other things of whole days are no acts. `now`: ms since 1970.
 */
export function actsOf(stages: readonly StageNow[], coming: readonly ListedEvent[], now: number): Act[] {
  const begins = ({ starts_at }: LineEvent) => Date.parse(starts_at)
  const isAct = (event: ListedEvent | null): event is ListedEvent =>
    event !== null && event.status !== 'cancelled' && !event.all_day && !isLong(event)
  const running = stages
    .map((each) => each.now)
    .filter(isAct)
    .filter((event) => overAt(event) - now >= leastLeftMs)
    .toSorted((a, b) => begins(b) - begins(a))
  const next = stages
    .map((each) => each.next)
    .filter(isAct)
    .filter((event) => begins(event) - now <= soonMs)
    .toSorted((a, b) => begins(a) - begins(b))
  const isMusic = ({ category }: ListedEvent) => category === 'music' || category === 'nightlife'
  const music = (events: ListedEvent[]) => events.toSorted((a, b) => Number(isMusic(b)) - Number(isMusic(a)))
  const known = new Set<string>()
  return [...music(running), ...music(next), ...coming.filter(isAct)]
    .filter(({ event_id }) => !known.has(event_id) && known.add(event_id))
    .slice(0, actsSent)
    .map(actOf)
}

function actOf(event: ListedEvent): Act {
  const { stage, venue } = event
  const { latitude, longitude } = venue ?? {}
  return {
    ...lineEvent(event),
    ...(stage ? { stage } : {}),
    ...(typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : {}),
  }
}

const dealsShown = 2

/** A deal in one line: what, where, until when. */
export type TonightDeal = Pick<CardDeal, (typeof ofDeal)[number]>
const ofDeal = [
  'deal_id',
  'deal_name',
  'business_name',
  'latitude',
  'longitude',
  'usable_now',
  'usable_from',
  'usable_until',
  'over_at',
  'active_days',
  'start_time',
  'end_time',
  'open_now',
  'open_until',
  'opens_at',
] as const satisfies (keyof CardDeal)[]

/** Deals that can be used now, of different merchants; those first that are not among the `featured` ones further down. */
export function dealsOf(best: readonly ListedDeal[], featured: readonly { deal_id: string }[]): TonightDeal[] {
  const below = new Set(featured.map(({ deal_id }) => deal_id))
  const merchants = new Set<string>()
  return best
    .filter(({ usable_now }) => usable_now)
    .toSorted((a, b) => Number(below.has(a.deal_id)) - Number(below.has(b.deal_id)))
    .filter(({ business_id }) => !merchants.has(business_id) && merchants.add(business_id))
    .slice(0, dealsShown)
    .map((deal) => Object.fromEntries(ofDeal.map((name) => [name, deal[name]])) as unknown as TonightDeal)
}
