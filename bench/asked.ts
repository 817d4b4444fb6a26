import type { Moment, Wanted } from '../src/deals/server/store.ts'
import type { Position } from '../src/kit/shared/geo.ts'
import { centre } from './town.ts'

/** Random places within 5 km of the centre, the same in every run. */
export function places(count: number): Position[] {
  let seed = 7
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  return Array.from({ length: count }, () => ({
    latitude: Number((centre.latitude + (random() - 0.5) * 0.1).toFixed(4)),
    longitude: Number((centre.longitude + (random() - 0.5) * 0.1).toFixed(4)),
  }))
}

export function moment(): Moment {
  const here = Temporal.Now.zonedDateTimeISO('Europe/Zurich')
  return { now: new Date(), weekday: here.dayOfWeek - 1, time: here.toPlainTime().toString({ smallestUnit: 'minute' }) }
}

export function wanted(more: Partial<Wanted> = {}): Wanted {
  return {
    moment: moment(),
    words: null,
    wordsCategory: null,
    category: null,
    openNow: false,
    premiumOnly: false,
    ...more,
  }
}
