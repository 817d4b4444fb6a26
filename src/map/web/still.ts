import type { Position } from '../../kit/shared/geo.ts'
import { isPremium, type ServerCluster, type OverlayData, type Place } from './overlay.ts'
import { onPlane, tile } from './still-picture.ts'

/** The position at a point of the plane of `onPlane`. */
export function fromPlane({ x, y }: { x: number; y: number }, zoom: number): Position {
  const world = tile * 2 ** zoom
  return {
    latitude: (Math.atan(Math.sinh((0.5 - y / world) * 2 * Math.PI)) * 180) / Math.PI,
    longitude: (x / world) * 360 - 180,
  }
}

/** A mark on a still map; `places`: those under it, empty for a cluster of the server. */
export interface Mark {
  key: string
  x: number
  y: number
  icon: Place['icon'] | 'deals' | 'merchants'
  count: number
  /** How many of the things are premium; for a place 1 or 0. */
  lanterns: number
  places: Place[]
}

/** Radius of the circle of a number, in CSS pixels. */
export const numberRadius = (count: number) => Math.min(38, Math.max(16, 14.6 + Math.sqrt(count) * 0.7))

/** Places closer than this (px) become one number, as on the live map. */
const reach = 46
const singleFrom = 17

/**
 * The pins of a still map at a zoom; overlapping ones are gathered under a number. Merchants are not gathered with deals. The last is
 * on top.
 */
export function marksOf({ places, clusters }: Pick<OverlayData, 'places' | 'clusters'>, zoom: number): Mark[] {
  const single = (place: Place): Mark => ({
    ...onPlane(place, zoom),
    ...place,
    lanterns: isPremium(place) ? 1 : 0,
    places: [place],
  })
  const gathered = (here: Place[], of: ServerCluster['of']) => {
    const marks: Mark[] = [
      ...clusters
        .filter((cluster) => cluster.of === of)
        .map((cluster, n) => ({
          ...onPlane(cluster, zoom),
          key: `${of}-${n}`,
          icon: of,
          count: cluster.count,
          lanterns: cluster.lanterns ?? 0,
          places: [],
        })),
      ...here.map(single),
    ]
    return zoom >= singleFrom ? marks : gather(marks, of)
  }
  const isMerchant = ({ icon }: Place) => icon === 'merchant'
  const deals = gathered(
    places.filter((place) => !isMerchant(place)),
    'deals',
  ).toSorted((one, other) => Number(one.icon === 'premium') - Number(other.icon === 'premium'))
  const merchants = gathered(places.filter(isMerchant), 'merchants').map((mark) => besideDeals(mark, deals))
  return [...merchants, ...deals]
}

/** Moves a number of merchants aside from deals, as on the live map: a pin would cover it and leave an empty ring. */
function besideDeals(mark: Mark, deals: Mark[]): Mark {
  if (mark.icon !== 'merchants') return mark
  const rim = numberRadius(mark.count)
  const near = deals.filter((deal) => Math.hypot(deal.x - mark.x, deal.y - mark.y) < rim)
  if (near.length === 0) return mark
  const { x, y } = away(mark, near)
  return { ...mark, x: mark.x + x * (rim + lanternReach / 2), y: mark.y + y * (rim + lanternReach / 2) }
}

const lanternReach = 26

/** The direction away from near marks, of length 1; up if they are all around. */
function away(from: Mark, near: Mark[]): { x: number; y: number } {
  const x = near.reduce((sum, each) => sum + from.x - each.x, 0)
  const y = near.reduce((sum, each) => sum + from.y - each.y, 0)
  const far = Math.hypot(x, y)
  return far === 0 ? { x: 0, y: -1 } : { x: x / far, y: y / far }
}

/** Gathers from the largest mark on; each takes those within `reach`. In a grid of that size they are all in nine cells. */
function gather(marks: Mark[], as: ServerCluster['of']): Mark[] {
  const cells = new Map<string, Mark[]>()
  const cell = (x: number, y: number) => `${Math.floor(x / reach)} ${Math.floor(y / reach)}`
  for (const mark of marks) {
    const name = cell(mark.x, mark.y)
    const there = cells.get(name)
    if (there) there.push(mark)
    else cells.set(name, [mark])
  }
  const taken = new Set<Mark>()
  const result: Mark[] = []
  for (const mark of marks.toSorted((a, b) => b.count - a.count)) {
    if (taken.has(mark)) continue
    const near: Mark[] = []
    for (const dx of [-reach, 0, reach])
      for (const dy of [-reach, 0, reach])
        for (const other of cells.get(cell(mark.x + dx, mark.y + dy)) ?? [])
          if (!taken.has(other) && Math.hypot(other.x - mark.x, other.y - mark.y) <= reach) near.push(other)
    for (const each of near) taken.add(each)
    if (near.length === 1) {
      result.push(mark)
      continue
    }
    const count = near.reduce((sum, each) => sum + each.count, 0)
    result.push({
      key: `${as} ${mark.key}`,
      x: near.reduce((sum, each) => sum + each.x * each.count, 0) / count,
      y: near.reduce((sum, each) => sum + each.y * each.count, 0) / count,
      icon: as,
      count,
      lanterns: near.reduce((sum, each) => sum + each.lanterns, 0),
      places: near.flatMap((each) => each.places),
    })
  }
  return result
}
