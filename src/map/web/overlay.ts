import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { Position } from '../../kit/shared/geo.ts'
import type { Category } from '../../brand/category.ts'
import type { MapInks } from '../inks.ts'
import type { SpotLook } from './spot-glyphs.ts'
import { mapFonts } from './style-parts.ts'

/** One pin, for everything at one coordinate. */
export interface Place extends Position {
  key: string
  icon: 'deal' | 'premium' | 'merchant'
  /** Number of things here. */
  count: number
  /** Glyph instead of the merchant's house. */
  look?: SpotLook
  /** For a deal: its hue and glyph. */
  category?: Category
  /** For a deal: usable now, in its last hours, or later. */
  time?: PinTime
}

export type PinTime = 'now' | 'ending' | 'later'

/** The name of a place's icon, as `drawIcon` knows it. */
export const iconOf = ({
  icon,
  category = 'other',
  time = 'now',
  look,
}: Pick<Place, 'icon' | 'category' | 'time' | 'look'>) =>
  icon === 'merchant' ? (look ?? icon) : `${icon} ${category} ${time}`

/** A cluster that the server sent instead of single places. */
export interface ServerCluster extends Position {
  count: number
  /** How many of them are premium. */
  lanterns?: number
  of: 'deals' | 'merchants'
}

export interface OverlayData {
  places: Place[]
  clusters: ServerCluster[]
  /** Own position; accuracy in metres. */
  own: (Position & { accuracy: number }) | null
  /** The hovered pin, and the one whose card is open (`chosen`). */
  focus: Place | null
  chosen: Place | null
}

export const noOverlay: OverlayData = { places: [], clusters: [], own: null, focus: null, chosen: null }

const prefix = 'house-'
const named = (name: string) => `${prefix}${name}`
export const isOverlay = (id: string) => id.startsWith(prefix)
export const overlaySources = {
  deals: named('deals'),
  merchants: named('merchants'),
  own: named('own'),
  focus: named('focus'),
} as const
/** Layers that can be clicked, the uppermost first. */
export const pinLayers = ['deal', 'merchant'].map(named)
export const clusterLayers = ['notch', 'deals-cluster', 'merchants-count'].map(named)

type Features = GeoJSON.FeatureCollection<GeoJSON.Point>

const point = ({ longitude, latitude }: Position, properties: Record<string, unknown>) => ({
  type: 'Feature' as const,
  properties,
  geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
})
const collection = (features: Features['features']): Features => ({ type: 'FeatureCollection', features })
const placeFeature = (place: Place) =>
  point(place, {
    key: place.key,
    icon: place.icon,
    look: iconOf(place),
    count: place.count,
    lanterns: isPremium(place) ? 1 : 0,
  })

export const isPremium = ({ icon }: Pick<Place, 'icon'>) => icon === 'premium'

/**
 * The data of the map sources. A premium place is a lantern, and in a cluster a small lantern on its rim: lanterns cover no number.
 * MapLibre clusters the server's clusters again, like single places, so that their numbers do not overlap.
 */
export function overlayFeatures({ places, clusters, own, focus, chosen }: OverlayData): Record<string, Features> {
  const merchants = places.filter(({ icon }) => icon === 'merchant')
  const deals = places.filter(({ icon }) => icon !== 'merchant')
  const serverClusters = (what: ServerCluster['of']) =>
    clusters
      .filter((cluster) => cluster.of === what)
      .map((cluster) => point(cluster, { count: cluster.count, lanterns: cluster.lanterns ?? 0, fromServer: 1 }))
  return {
    [overlaySources.deals]: collection([...deals.map(placeFeature), ...serverClusters('deals')]),
    [overlaySources.merchants]: collection([...merchants.map(placeFeature), ...serverClusters('merchants')]),
    [overlaySources.own]: collection(
      own ? [point(own, { reach: own.accuracy > maxAccuracyM ? 0 : own.accuracy / metresPerPixelAtZero(own) })] : [],
    ),
    [overlaySources.focus]: collection([chosen, focus].flatMap((place) => (place ? [placeFeature(place)] : []))),
  }
}

/** Metres. A larger circle of accuracy is not drawn: it would only tint the whole map. */
const maxAccuracyM = 3000
const metresPerPixelAtZero = ({ latitude }: Position) => 78_271.517 * Math.cos((latitude * Math.PI) / 180)

const clusterMaxZoom = 16
const clusterProperties = {
  sum: ['+', ['get', 'count']],
  lanterns: ['+', ['get', 'lanterns']],
  fromServer: ['+', ['coalesce', ['get', 'fromServer'], 0]],
}
const clustered = { cluster: true, clusterRadius: 46, clusterMaxZoom, clusterProperties }
/** Number on a feature: `sum` of a cluster made by MapLibre, else the feature's own `count`. */
const shownCount: ExpressionSpecification = ['coalesce', ['get', 'sum'], ['get', 'count']]
const isCluster: ExpressionSpecification = ['any', ['has', 'point_count'], ['has', 'fromServer']]
const look: ExpressionSpecification = ['get', 'look']
const isLantern: ExpressionSpecification = ['==', ['get', 'icon'], 'premium']
const isSingle: ExpressionSpecification = ['!', isCluster]
/** A drop stands on its place, everything else lies around it. */
const anchor: ExpressionSpecification = ['match', ['get', 'icon'], 'deal', 'bottom', 'center']

/** Sources and layers for pins, clusters and the own position, to add to any basemap's style before it is set. */
export function overlay(data: OverlayData, inks: MapInks) {
  const features = overlayFeatures(data)
  const sources = Object.fromEntries(
    Object.entries(features).map(([id, each]): [string, SourceSpecification] => [
      id,
      {
        type: 'geojson',
        data: each,
        ...(id === overlaySources.deals || id === overlaySources.merchants ? clustered : {}),
      } as SourceSpecification,
    ]),
  )
  return { sources, layers: overlayLayers(inks) }
}

/**
 * Number and ring of a merchant cluster are one symbol, so that both move aside from a deal's pin. With a separate ring only the number
 * would move, and an empty ring would show below the pin. Wide numbers stretch the ring to a pill.
 */
const ringAroundNumber = {
  'text-variable-anchor': ['center', 'bottom', 'top', 'right', 'left', 'bottom-right', 'top-left'],
  'text-radial-offset': 1.6,
  // the size of the ring, so that its rim takes part in collisions
  'text-padding': 8,
  'icon-image': 'merchants-ring',
  'icon-text-fit': 'width',
  'icon-text-fit-padding': [0, 10.5, 0, 10.5] as [number, number, number, number],
  'icon-allow-overlap': true,
}

/** Radius of a circle by the root of its count. */
const radii = [
  [1.4, 16],
  [10, 22],
  [40, 32],
  [100, 38],
] as const
const byCount = (of: (radius: number) => unknown) =>
  ['interpolate', ['linear'], ['sqrt', shownCount], ...radii.flatMap(([root, radius]) => [root, of(radius)])] as unknown
/** At the upper right, px. */
const onRim = byCount((radius) => ['literal', [radius * 0.7 + 3, -radius * 0.7 - 3]])

const badgeText = 11

function overlayLayers(inks: MapInks): LayerSpecification[] {
  const circle = (name: string, source: string, fill: string, ink: string): LayerSpecification =>
    ({
      id: named(name),
      type: 'circle',
      source,
      filter: isCluster,
      paint: {
        'circle-color': fill,
        'circle-radius': byCount((radius) => radius),
        'circle-stroke-width': 3,
        'circle-stroke-color': ink,
        'circle-stroke-opacity': 0.9,
      },
    }) as LayerSpecification
  const number = (name: string, source: string, around: object, ink: string): LayerSpecification =>
    ({
      id: named(`${name}-count`),
      type: 'symbol',
      source,
      filter: isCluster,
      layout: {
        'text-field': [
          'case',
          ['>=', shownCount, 10_000],
          ['concat', ['round', ['/', shownCount, 1000]], 'k'],
          ['to-string', shownCount],
        ],
        'text-font': mapFonts.display,
        'text-size': ['interpolate', ['linear'], ['sqrt', shownCount], 1.4, 14, 40, 18],
        'text-allow-overlap': true,
        ...around,
      },
      paint: { 'text-color': ink },
    }) as LayerSpecification
  const pins = (
    name: string,
    source: string,
    icon: string | ExpressionSpecification,
    more: object = {},
    ofWhich: ExpressionSpecification = isSingle,
  ): LayerSpecification =>
    ({
      id: named(name),
      type: 'symbol',
      source,
      filter: ofWhich,
      layout: {
        'icon-image': icon,
        // pins are always drawn; the basemap's labels give way
        'icon-allow-overlap': true,
        'icon-anchor': 'center',
        'symbol-sort-key': shownCount,
        ...more,
      },
    }) as LayerSpecification
  const badge = (
    name: string,
    source: string,
    offset: [number, number],
    ofWhich: ExpressionSpecification = isSingle,
  ): LayerSpecification =>
    ({
      id: named(`${name}-badge`),
      type: 'symbol',
      source,
      filter: ['all', ofWhich, ['>', shownCount, 1]],
      layout: {
        'icon-image': 'badge',
        'icon-offset': offset,
        // no overlap allowed: a number that would half cover another is left out until the map zooms in
        'text-field': ['to-string', shownCount],
        'text-font': mapFonts.strong,
        'text-size': badgeText,
        'text-offset': offset.map((px) => px / badgeText) as [number, number],
        'icon-padding': 0,
        'text-padding': 0,
      },
      paint: { 'text-color': inks.onCluster },
    }) as LayerSpecification
  const { deals, merchants, own, focus } = overlaySources
  return [
    {
      id: named('own-reach'),
      type: 'circle',
      source: own,
      paint: {
        'circle-color': inks.own,
        'circle-opacity': 0.16,
        'circle-radius': [
          'interpolate',
          ['exponential', 2],
          ['zoom'],
          0,
          ['get', 'reach'],
          22,
          ['*', ['get', 'reach'], 2 ** 22],
        ],
        'circle-pitch-alignment': 'map',
      },
    } as LayerSpecification,
    // below the pins: the ring stays visible around them
    {
      id: named('own'),
      type: 'circle',
      source: own,
      paint: {
        'circle-radius': 17,
        'circle-color': inks.ownRim,
        'circle-stroke-width': 4,
        'circle-stroke-color': inks.own,
      },
    } as LayerSpecification,
    {
      id: named('own-dot'),
      type: 'circle',
      source: own,
      paint: { 'circle-radius': 9, 'circle-color': inks.own },
    } as LayerSpecification,
    pins('merchant', merchants, look),
    badge('merchant', merchants, [12, -12]),
    circle('deals-cluster', deals, inks.cluster, inks.onCluster),
    // above all circles, so that overlapping numbers stay readable
    number('merchants', merchants, ringAroundNumber, inks.onMerchant),
    number('deals-cluster', deals, { 'text-ignore-placement': true }, inks.onCluster),
    // on the rim of the circle, beside the number
    pins('notch', deals, 'notch', { 'icon-offset': onRim }, ['all', isCluster, ['>', ['get', 'lanterns'], 0]]),
    // lanterns above drops
    pins('deal', deals, look, {
      'icon-anchor': anchor,
      'symbol-sort-key': ['+', shownCount, ['case', isLantern, 10_000, 0]],
    }),
    badge('deal', deals, [11, -28], ['all', isSingle, ['!', isLantern]]),
    badge('premium', deals, [12, -12], ['all', isSingle, isLantern]),
    {
      id: named('focus-ring'),
      type: 'circle',
      source: focus,
      paint: {
        'circle-radius': 25,
        'circle-color': inks.premium,
        'circle-opacity': 0.35,
        'circle-stroke-width': 3,
        'circle-stroke-color': inks.pinRim,
      },
    },
    pins('focus', focus, 'focus', {
      'icon-image': look,
      'icon-size': 1.3,
      'icon-anchor': anchor,
    }),
    badge('focus', focus, [16, -16], ['!=', ['get', 'icon'], 'deal']),
    badge('focus-deal', focus, [14, -36], ['==', ['get', 'icon'], 'deal']),
  ]
}
