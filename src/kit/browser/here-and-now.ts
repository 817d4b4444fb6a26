import { use, useEffect, useSyncExternalStore } from 'react'
import { distanceKm, walkingMinutes, type Position } from '../shared/geo.ts'
import { fixed } from '../shared/numbers.ts'
import { onReturn } from './on-return.ts'
import { SiteContext } from './site.ts'
import { tabStorage } from './storage.ts'
import { useWhen } from './when.ts'

const name = 'here'
const listeners = new Set<() => void>()

/** Stores the position of this phone, to about 100 m, until the tab is closed, and shows it in all distances. */
export function storePosition({ latitude, longitude }: Position): void {
  tabStorage.set(name, `${fixed(latitude, 3)},${fixed(longitude, 3)}`)
  for (const listener of listeners) listener()
}

/** The position of this phone; null on the server, during hydration, and before it was asked for. */
export function usePosition(): Position | null {
  const text = useSyncExternalStore(follow, stored, () => null)
  const [latitude, longitude] = (text ?? '').split(',').map(Number)
  return latitude && longitude ? { latitude, longitude } : null
}

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const stored = () => tabStorage.get(name)

/** Updates the position on arrival and on each return, without a question: only if the visitor has allowed it before. */
export function useFreshPosition(): void {
  useEffect(() => {
    const refresh = async () => {
      const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null)
      if (permission?.state !== 'granted') return
      const { askPosition } = await import('./ask-position.ts')
      const { place } = await askPosition()
      if (place) storePosition(place)
    }
    void refresh()
    return onReturn(() => void refresh())
  }, [])
}

/** The way to a place, in a straight line. */
export interface Way {
  km: number
  /** Minutes on foot; null where nobody would walk. */
  minutes: number | null
  /** From this phone; else from the centre of the festival. */
  isFromHere: boolean
}

const longestWalk = 45

/** Where a visitor is and what time it is: `now` is the server's, ms since 1970. `way`: null for a place that is unknown. */
export interface HereAndNow {
  now: number
  position: Position | null
  way: (place: Partial<Record<keyof Position, number | null>>) => Way | null
}

/** What lists, distances, buttons and reminders of every screen begin with. */
export function useHereAndNow(): HereAndNow {
  const { now } = useWhen()
  const position = usePosition()
  const centre = use(SiteContext)?.centre
  const from = position ?? centre
  return {
    now,
    position,
    way: ({ latitude, longitude }) => {
      if (!from || typeof latitude !== 'number' || typeof longitude !== 'number') return null
      return wayOf(distanceKm(from, { latitude, longitude }), position !== null)
    },
  }
}

export function wayOf(km: number, isFromHere: boolean): Way {
  const minutes = walkingMinutes(km)
  return { km, minutes: minutes <= longestWalk ? minutes : null, isFromHere }
}

/**
 * Whether somebody who leaves now arrives before `until` (ISO). True as long as nothing speaks against it: without an end, or without
 * a position of this phone. A way that nobody would walk counts by its minutes on foot.
 */
export function isInTime(way: Way | null, until: string | null, now: number): boolean {
  if (!way?.isFromHere || until === null) return true
  return (Date.parse(until) - now) / 60_000 > walkingMinutes(way.km)
}
