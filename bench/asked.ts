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

/** Half past seven tonight: places of all kinds are open, some are not. */
export function moment(): Moment {
  const tonight = Temporal.Now.zonedDateTimeISO('Europe/Zurich').withPlainTime('19:30')
  return {
    now: new Date(tonight.epochMilliseconds),
    asOf: new Date(tonight.epochMilliseconds),
    tonight: new Date(tonight.add({ hours: 10, minutes: 30 }).epochMilliseconds),
  }
}

export function wanted(more: Partial<Wanted> = {}): Wanted {
  return {
    moment: moment(),
    words: null,
    fewHaveThem: false,
    wordsCategory: null,
    category: null,
    openNow: false,
    premiumOnly: false,
    ...more,
  }
}
