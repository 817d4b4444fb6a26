import type { HereAndNow } from '../../kit/browser/here-and-now.ts'
import type { Position } from '../../kit/shared/geo.ts'

/** Code of a deal that was not redeemed yet. Times: ISO. */
export interface HeldCode {
  claimId: string
  deal: string
  usableFrom: string
  until: string
}

/** A saved event that begins at `startsAt` (ISO). */
export interface HeldEvent {
  eventId: string
  title: string
  startsAt: string
  isCancelled: boolean
  /** An event without an hour: nobody leaves for it at a certain time. */
  isAllDay: boolean
  /** Where its stage is; null: unknown. */
  place: Partial<Record<keyof Position, number | null>> | null
}

export interface Tonight {
  redeemed: number
  chf: number
}

/** What somebody saved and holds. `till`: null for everybody but merchants; `tonight`: null until it is known. */
export interface Held {
  codes: readonly HeldCode[]
  events: readonly HeldEvent[]
  till: { tonight: Tonight | null } | null
}

export type Needed =
  | { kind: 'code'; claimId: string; deal: string; until: string; from: string | null }
  /** `leaveAt`: ms since 1970; null: the way is unknown. */
  | { kind: 'event'; eventId: string; title: string; startsAt: string; leaveAt: number | null }
  | { kind: 'till'; tonight: Tonight | null }

/** What begins later is not needed now. */
export const soonMs = 2 * 60 * 60_000
const minuteMs = 60_000

/**
 * The one thing that somebody needs now: a code that is or will soon be usable, else the next saved event that begins soon, else the
 * till. Null: nothing. When to leave follows from the position of this phone alone; the way from the festival's centre says nothing.
 */
export function neededNow(held: Held, here: Pick<HereAndNow, 'now' | 'way'>): Needed | null {
  if (held.till) return { kind: 'till', tonight: held.till.tonight }
  return neededCode(held.codes, here.now) ?? neededEvent(held.events, here)
}

/** Of usable codes the one that expires first, else the one that will be usable first. */
function neededCode(codes: readonly HeldCode[], now: number): Needed | null {
  // the page's clock is up to half a minute late, so a code that was claimed just now would seem early
  const from = ({ usableFrom }: HeldCode) => {
    const at = Date.parse(usableFrom)
    return at - now > minuteMs ? at : now
  }
  const [code] = codes
    .filter((each) => Date.parse(each.until) > now && from(each) - now <= soonMs)
    .toSorted((a, b) => from(a) - from(b) || Date.parse(a.until) - Date.parse(b.until))
  if (!code) return null
  const { claimId, deal, until, usableFrom } = code
  return { kind: 'code', claimId, deal, until, from: from(code) > now ? usableFrom : null }
}

function neededEvent(events: readonly HeldEvent[], { now, way }: Pick<HereAndNow, 'now' | 'way'>): Needed | null {
  const begins = ({ startsAt }: HeldEvent) => Date.parse(startsAt)
  const [event] = events
    .filter((each) => !each.isCancelled && !each.isAllDay && begins(each) > now && begins(each) - now <= soonMs)
    .toSorted((a, b) => begins(a) - begins(b))
  if (!event) return null
  const { eventId, title, startsAt, place } = event
  const walk = place && way(place)
  const leaveAt = walk?.isFromHere && walk.minutes !== null ? begins(event) - walk.minutes * minuteMs : null
  return { kind: 'event', eventId, title, startsAt, leaveAt }
}
