import { overAt } from '../../events/web/card-event.ts'
import { isInTime, type HereAndNow } from '../../kit/browser/here-and-now.ts'
import type { Act } from './choose-tonight.ts'

const actsShown = 3

/** Those to show, fewer when some are over: what can be reached before it ends comes first. */
export function actsHere(acts: readonly Act[], { now, way }: Pick<HereAndNow, 'now' | 'way'>): Act[] {
  const left = acts.filter((act) => overAt(act) > now)
  const isNear = (act: Act) => isInTime(way(act), new Date(overAt(act)).toISOString(), now)
  return [...left.filter(isNear), ...left.filter((act) => !isNear(act))].slice(0, actsShown)
}
