import { needIn, placesFor } from '../../places/needs.ts'
import { dealSorts } from '../limits.ts'
import { isWithin, type Bounds, type Position } from '../../kit/shared/geo.ts'
import { dealsMapPage } from '../../site-map.ts'
import { defaultRadius, isOn } from './deal-query.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/**
 * The query of the address `/dealsmap`. `lat`, `lon` and `z`: the view of the map. The search is around `near` (`centre`, or
 * `lat,lon`) or within `bbox`; without both, around `lat`, `lon`. With both, distances within the box are from `near`.
 */
export interface MapQuery {
  q?: string
  category?: string
  openNow?: string
  sponsored?: string
  radius?: string
  sort?: string
  near?: string
  bbox?: string
  lat?: string
  lon?: string
  z?: string
  /** `deals,merchants,events,places` */
  layers?: string
  /** The open card: a deal, a merchant, or (`at`) a box whose things are listed. */
  deal?: string
  business?: string
  at?: string
  /** The open card: a venue or a useful place. */
  venue?: string
  place?: string
}

const defaultZoom = 13
/** Zoom for links from pages of deals and merchants, which have none. */
const dealZoom = 15.5

/** Reads an address; unusable values are left out, so that every link shows a map. */
export function readMapQuery(search: URLSearchParams): MapQuery {
  const text = (name: string, max: number) => {
    const value = search.get(name)?.trim()
    return value && value.length <= max && value.isWellFormed() && !value.includes('\0') ? value : undefined
  }
  const number = (name: string, min: number, max: number) => {
    const value = text(name, 24)
    return value && isNumber(value, min, max) ? value : undefined
  }
  const lat = number('lat', -90, 90)
  const lon = number('lon', -180, 180)
  const near = text('near', 60)
  const bbox = text('bbox', 100)
  const sort = text('sort', 20)
  const layers = readLayers(search)
  const query: { [name in keyof MapQuery]: string | undefined } = {
    q: text('q', 200),
    category: text('category', 60),
    openNow: isOn(search.get('openNow')) ? 'true' : undefined,
    sponsored: isOn(search.get('sponsored')) ? 'true' : undefined,
    radius: number('radius', 0.1, 50),
    sort: sort && (dealSorts as readonly string[]).includes(sort) ? sort : undefined,
    near: near === 'centre' || (near && readPlace(near)) ? near : undefined,
    bbox: bbox && readBox(bbox) ? bbox : undefined,
    ...(lat !== undefined && lon !== undefined ? { lat, lon } : {}),
    z: number('z', 0, 24),
    layers: layers === 'deals' ? undefined : layers,
    ...readCard({
      deal: text('deal', 60),
      business: text('business', 60),
      venue: text('venue', 60),
      place: text('place', 60),
      at: text('at', 100),
    }),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as MapQuery
}

/**
 * The query within the bounds of the map: a view or box outside is left out; a place to search around stays. `beyond`: which of them
 * is outside.
 */
export function onThisMap(typed: MapQuery, bounds: Bounds): { query: MapQuery; beyond: 'search' | 'box' | null } {
  const query = { ...typed }
  const stands = placeInAddress(typed)
  if (stands && !isWithin(stands, bounds)) {
    for (const name of ['lat', 'lon', 'z'] as const) delete query[name]
    if (!query.near && !query.bbox) query.near = `${typed.lat},${typed.lon}`
  }
  const near = query.near ? readPlace(query.near) : null
  const box = typed.bbox ? readBox(typed.bbox) : null
  const isOver =
    box && box.west <= bounds.east && box.east >= bounds.west && box.south <= bounds.north && box.north >= bounds.south
  if (box && !isOver) delete query.bbox
  if (near && !query.bbox && !isWithin(near, bounds)) return { query, beyond: 'search' }
  return { query, beyond: box && !isOver ? 'box' : null }
}

/** At most one open card. */
function readCard({ deal, business, venue, place, at }: { [name in keyof MapQuery]: string | undefined }) {
  if (deal || business) return deal ? { deal } : { business }
  if (venue || place) return venue ? { venue } : { place }
  return { at: at && readBox(at) ? at : undefined }
}

export const mapLayers = ['deals', 'merchants', 'events', 'places'] as const
export type MapLayer = (typeof mapLayers)[number]

function readLayers(search: URLSearchParams): string {
  const named = search.getAll('layers').join(',').split(',')
  const known = mapLayers.filter((layer) => named.includes(layer))
  return known.length > 0 ? known.join(',') : 'deals'
}

/** Places are shown too where the words ask for some, such as "toilet". */
export const showsLayer = ({ layers = 'deals', q }: MapQuery, layer: MapLayer) =>
  layers.split(',').includes(layer) || (layer === 'places' && placesFor(needIn(q)) !== null)

const isNumber = (value: string, min: number, max: number) =>
  /^[+-]?\d{1,3}(\.\d{1,17})?$/.test(value) && Number(value) >= min && Number(value) <= max

function readPlace(text: string): Position | null {
  const [lat = '', lon = '', ...rest] = text.split(',')
  return rest.length === 0 && isNumber(lat, -90, 90) && isNumber(lon, -180, 180)
    ? { latitude: Number(lat), longitude: Number(lon) }
    : null
}

export function readBox(text: string) {
  const sides = text.split(',')
  const [west, south, east, north] = sides.map(Number) as [number, number, number, number]
  const isGood =
    sides.length === 4 &&
    sides.every((side, at) => isNumber(side, at % 2 ? -90 : -180, at % 2 ? 90 : 180)) &&
    west <= east &&
    south <= north
  return isGood ? { west, south, east, north } : null
}

/** Changes that close any card. */
export const noCard = { deal: null, business: null, at: null, venue: null, place: null }

/** `/dealsmap` with changes; null removes a part, and opening a card closes another. */
export function mapWith(query: MapQuery, changes: { [name in keyof MapQuery]?: string | null }): string {
  const opens = changes.deal || changes.business || changes.at || changes.venue || changes.place
  const next: Record<string, string | null | undefined> = { ...query, ...(opens ? noCard : {}), ...changes }
  if (next['layers'] === 'deals') next['layers'] = null
  if (next['sort'] === 'best') next['sort'] = null
  if (next['radius'] === defaultRadius) next['radius'] = null
  return dealsMapPage(next)
}

/** Centre of the search; without a place in the query exactly the festival's centre. */
export function searchCentre(query: MapQuery, centre: Position): Position {
  if (query.near === 'centre') return centre
  const near = query.near ? readPlace(query.near) : null
  return near ?? placeInAddress(query) ?? centre
}

/** The first view of the map; at the festival if the search is around a place beyond `bounds`. */
export function mapStart(
  query: MapQuery,
  centre: Position,
  zoom = defaultZoom,
  bounds?: Bounds,
): Position & { zoom: number } {
  const place = placeInAddress(query)
  const box = query.bbox ? readBox(query.bbox) : null
  const middle = box && { latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2 }
  const around = searchCentre(query, centre)
  return {
    ...(place ?? middle ?? (bounds && !isWithin(around, bounds) ? centre : around)),
    zoom: query.z
      ? Math.max(9, Math.min(19, Number(query.z)))
      : place && (query.deal || query.business)
        ? dealZoom
        : zoom,
  }
}

/** A view of the map; `bounds`: the visible part. */
interface VisibleMap extends Position {
  zoom: number
  bounds: Bounds
}

/** The zoom at which a map around `middle` shows the nearest of `places`; null if one is visible already, or there are none. */
export function zoomToSee(places: readonly Position[], middle: Position, seen: VisibleMap): number | null {
  const half = {
    latitude: (seen.bounds.north - seen.bounds.south) / 2,
    longitude: (seen.bounds.east - seen.bounds.west) / 2,
  }
  /** Distance to a place, in halves of the visible part. */
  const reach = (place: Position) =>
    Math.max(
      Math.abs(place.latitude - middle.latitude) / half.latitude,
      Math.abs(place.longitude - middle.longitude) / half.longitude,
    )
  const nearest = places.reduce((least, place) => Math.min(least, reach(place)), Infinity)
  return nearest > 1 && nearest < Infinity ? seen.zoom - Math.log2(nearest * marginAround) : null
}
/** Margin, so that no pin is under a button or an edge. */
const marginAround = 1.3

/** The view that was searched while the map is at `at`; another one if the map was moved since. */
export function searchedFrom(query: MapQuery, centre: Position, at: VisibleMap): VisibleMap {
  const box = query.bbox ? readBox(query.bbox) : null
  if (box) {
    const { west, east } = at.bounds
    return {
      latitude: (box.south + box.north) / 2,
      longitude: (box.west + box.east) / 2,
      zoom: box.east > box.west ? at.zoom + Math.log2((east - west) / (box.east - box.west)) : at.zoom,
      bounds: box,
    }
  }
  if (!placeInAddress(query)) return at
  const { latitude, longitude } = searchCentre(query, centre)
  const [up, right] = [latitude - at.latitude, longitude - at.longitude]
  const { west, south, east, north } = at.bounds
  return {
    latitude,
    longitude,
    zoom: at.zoom,
    bounds: { west: west + right, south: south + up, east: east + right, north: north + up },
  }
}

function placeInAddress({ lat, lon }: MapQuery): Position | null {
  return lat === undefined || lon === undefined ? null : { latitude: Number(lat), longitude: Number(lon) }
}

/** The query for the API: always the six filters of the map, others if set. */
export function searchOf(query: MapQuery, centre: Position) {
  const { latitude, longitude } = searchCentre(query, centre)
  return {
    category: query.category ?? '',
    openNow: query.openNow ?? 'false',
    sponsored: query.sponsored ?? 'false',
    radius: query.radius ?? defaultRadius,
    lat: String(latitude),
    lon: String(longitude),
    ...(query.q ? { q: query.q } : {}),
    ...(query.bbox ? { bbox: query.bbox } : {}),
    ...(query.sort ? { sort: query.sort } : {}),
  }
}

/** A position rounded to about 100 m, so that no address can be inferred. */
export const roundedPlace = ({ latitude, longitude }: Position) => `${fixed(latitude, 3)},${fixed(longitude, 3)}`
