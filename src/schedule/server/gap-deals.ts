import { searchDeals } from '../../deals/server/deals.ts'
import { eventsByIds } from '../../events/server/events.ts'
import { radiusKm } from '../../deals/contract.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { eventUnknown } from '../contract.ts'
import { stopMinutes, type DealInGap } from '../contract/gaps.ts'
import { longestGapMinutes } from '../limits.ts'
import { endOf, gapMinutes, placeOf, startOf, walk, wayBetween } from '../times.ts'
import type { ScheduleRoom } from './room.ts'

const dealsOffered = 3
const dealsSearched = 40
/** Metres a minute in a straight line: 80 m of street, and streets are 1.3 times longer. */
const metresPerMinute = 80 / 1.3

/**
 * Deals on the way between two events: usable from arrival until leaving, and near enough to reach the next event in time. Smallest
 * detour first. @throws `event_not_found`
 */
export async function dealsInGap(
  room: ScheduleRoom,
  { from_event, to_event }: { from_event: string; to_event: string },
): Promise<DealInGap[]> {
  const events = await eventsByIds(room.db, room.clock.now(), [from_event, to_event])
  const from = events.find(({ event_id }) => event_id === from_event)
  const to = events.find(({ event_id }) => event_id === to_event)
  if (!from || !to) throw new Refusal(eventUnknown)
  if (from.all_day || to.all_day) return []
  const way = wayBetween(from, to)
  const [here, there] = [placeOf(from), placeOf(to)]
  if (!here || !there || way.gap < gapMinutes || way.gap > longestGapMinutes) return []
  const middle = { latitude: (here.latitude + there.latitude) / 2, longitude: (here.longitude + there.longitude) / 2 }
  // everything reachable is in an ellipse around both places, which this circle encloses
  const reachKm = ((way.gap - stopMinutes) * metresPerMinute) / 2 / 1000
  const began = Temporal.Instant.fromEpochMilliseconds(endOf(from))
  // in a gap that has begun, only the rest counts
  const at = Temporal.Instant.compare(began, room.clock.now()) < 0 ? room.clock.now() : began
  const { items } = await searchDeals(
    { ...room.deals, clock: { now: () => at } },
    {
      ...everything,
      lat: middle.latitude,
      lon: middle.longitude,
      radius: Math.min(radiusKm.max, Math.max(radiusKm.min, reachKm)),
      limit: dealsSearched,
    },
  )
  return items
    .flatMap((deal) => {
      const place = placeOf({ venue: deal })
      if (!place) return []
      const walk_there = walk(here, place)
      const walk_on = walk(place, there)
      const leave = startOf(to) - walk_on * 60_000
      const arrive = at.epochMilliseconds + walk_there * 60_000
      const isInTime = leave - arrive >= stopMinutes * 60_000
      const isUsable = deal.usable_until === null || Date.parse(deal.usable_until) >= arrive + stopMinutes * 60_000
      if (!isInTime || !isUsable) return []
      const { deal_id, deal_name, business_name, category, price_chf, discount } = deal
      return [
        {
          deal_id,
          deal_name,
          business_name,
          category,
          price_chf,
          discount,
          walk_there,
          walk_on,
          detour_minutes: Math.max(0, walk_there + walk_on - way.walk),
          leave_at: new Date(leave).toISOString(),
        },
      ]
    })
    .toSorted((a, b) => a.detour_minutes - b.detour_minutes)
    .slice(0, dealsOffered)
}

/** All open deals, nearest first, without paid places. */
const everything = {
  openNow: true,
  sponsored: false,
  hide_sponsored: true,
  sort: 'distance',
} as const
