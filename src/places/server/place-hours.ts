import { openingsOfTexts } from '../../businesses/server/businesses.ts'
import { asDate, type Clock } from '../../kit/server/clock.ts'
import { TimedCache } from '../../kit/server/timed-cache.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { UsefulPlace } from '../contract.ts'

/** Instants at which places with these hours open and close; null: unknown. Lists of places have few different hours. */
const changes = new TimedCache<Date[] | null>({ name: 'hours of places', ttlMs: 6 * 3_600_000, most: 500 })
/** Openings are read for ten days, so those of the same day do not run out. */
const dayMs = 24 * 3_600_000

/** Whether places are open at the time of the clock, by their `opening_hours`. */
export async function withOpening<Place extends Pick<UsefulPlace, 'opening_hours'>>(
  { clock, centre }: { clock: Clock; centre: Position },
  places: Place[],
): Promise<(Place & Pick<UsefulPlace, 'open_now' | 'open_until' | 'opens_at'>)[]> {
  const now = asDate(clock.now())
  const key = (text: string) => `${Math.floor(+now / dayMs)} ${text}`
  const texts = [...new Set(places.flatMap(({ opening_hours: text }) => text ?? []))]
  const unread = texts.filter((text) => changes.get(key(text)) === undefined)
  if (unread.length > 0) {
    const read = await openingsOfTexts({ clock }, unread, { ...centre, canton: 'BS' })
    for (const [index, text] of unread.entries()) changes.set(key(text), read[index] ?? null)
  }
  return places.map((place) => ({
    ...place,
    ...openingAt(now, place.opening_hours === null ? null : (changes.get(key(place.opening_hours)) ?? null)),
  }))
}

function openingAt(now: Date, instants: Date[] | null) {
  if (!instants) return { open_now: null, open_until: null, opens_at: null }
  const next = instants.findIndex((instant) => instant > now)
  const change = next === -1 ? null : instants[next]!.toISOString()
  const isOpen = next !== -1 && next % 2 === 1
  return { open_now: isOpen, open_until: isOpen ? change : null, opens_at: isOpen ? null : change }
}
