import type { ExpressionSpecification, FilterSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapInks } from '../inks.ts'
import { drawingFile } from '../outline-view.ts'

export const basemapSource = 'basemap'
/** Under this address the engine hands out tiles of the pack it holds in memory. */
const packTiles = 'rheinklang-pack://{z}/{x}/{y}'

/** First family of each stack names nothing but the weight, which MapLibre reads from there. */
const text = ['medium', 'Instrument Sans Variable', 'sans-serif']
const strong = ['semibold', 'Instrument Sans Variable', 'sans-serif']
const display = ['extra bold', 'Bricolage Display', 'Instrument Sans Variable', 'sans-serif']
export const mapFonts = { text, strong, display }

type Kind = 'drawing' | 'pack'

/** The zooms for which a pack has tiles; above the last one, its tiles are enlarged. */
export interface PackZooms {
  minZoom: number
  maxZoom: number
}
/** Of a pack whose manifest names none. */
const usualZooms: PackZooms = { minZoom: 9, maxZoom: 14 }

/**
 * The house's own map as a style: the drawing or a map pack, whose layers have the same names and properties, in the
 * given inks. Pure; without `glyphs`, so names are set in the fonts of the page.
 */
export function basemapStyle(inks: MapInks, kind: Kind, zooms = usualZooms): StyleSpecification {
  return {
    version: 8,
    sources: {
      [basemapSource]:
        kind === 'pack'
          ? { type: 'vector', tiles: [packTiles], minzoom: zooms.minZoom, maxzoom: zooms.maxZoom }
          : { type: 'geojson', data: drawingFile, maxzoom: 14, tolerance: 0.3, buffer: 64 },
    },
    layers: layers(inks, kind),
  }
}

type Line = { width: Stops; colour: string; dash?: number[]; opacity?: Stops | number; offset?: Stops }
type Stops = [zoom: number, value: number][]

const by = (stops: Stops): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as unknown as ExpressionSpecification

/** OpenStreetMap's classes in the drawing's four. */
const classes = {
  trunk: ['motorway', 'trunk', 'primary'],
  main: ['secondary', 'tertiary'],
  street: ['residential', 'living_street', 'unclassified', 'road'],
  lane: ['pedestrian', 'service', 'track', 'path', 'cycleway', 'footway', 'steps'],
}

function layers(inks: MapInks, kind: Kind): LayerSpecification[] {
  const of = (layer: string, filter?: FilterSpecification) =>
    kind === 'pack'
      ? { source: basemapSource, 'source-layer': layer, ...(filter ? { filter } : {}) }
      : {
          source: basemapSource,
          filter: (filter
            ? ['all', ['==', ['get', 'layer'], layer], filter]
            : ['==', ['get', 'layer'], layer]) as FilterSpecification,
        }
  const area = (id: string, layer: string, colour: string, opacity = 1): LayerSpecification => ({
    id,
    type: 'fill',
    ...of(layer),
    paint: { 'fill-color': colour, 'fill-opacity': opacity, 'fill-antialias': true },
  })
  const line = (
    id: string,
    layer: string,
    { width, colour, dash, opacity = 1, offset }: Line,
    filter?: FilterSpecification,
    minzoom = 0,
  ): LayerSpecification => ({
    id,
    type: 'line',
    minzoom,
    ...of(layer, filter),
    layout: { 'line-cap': dash ? 'butt' : 'round', 'line-join': 'round' },
    paint: {
      'line-color': colour,
      'line-width': by(width),
      'line-opacity': typeof opacity === 'number' ? opacity : by(opacity),
      ...(dash ? { 'line-dasharray': dash } : {}),
      ...(offset ? { 'line-offset': by(offset) } : {}),
    },
  })
  const isA = (names: string[]) => ['in', ['get', 'c'], ['literal', names]] as unknown as FilterSpecification

  const water = (['umland', 'rhein'] as const).flatMap((layer): LayerSpecification[] => [
    area(`${layer}-water`, layer, inks.river),
  ])
  // a pack has the river as an area alone, whose edge is also the border in its middle
  const bank = kind === 'drawing' ? 'ufer' : 'rhein'
  // the engraver's lines that follow the bank
  // (in a pack they stay within the margin of its tiles, 8 px at zoom 14, or the seams would show)
  const ripples = [
    [3, 0.5],
    [kind === 'pack' ? 5 : 6, 0.36],
    [kind === 'pack' ? 7 : 9.5, 0.24],
  ].map(([offset, opacity], index) =>
    line(
      `rhein-ripple-${index}`,
      bank,
      {
        colour: inks.ripple,
        width: [
          [11, 0.4],
          [14, 0.8],
          [17, 1.4],
        ],
        opacity: opacity!,
        offset: [
          [11, offset! * 0.2],
          [13, offset! * 0.6],
          [14, offset!],
          [15, offset! * 2],
          [16, offset! * 4],
          [18, offset! * 16],
        ],
      },
      undefined,
      12.2,
    ),
  )

  const roads: [name: keyof typeof classes, width: Stops, minzoom: number][] = [
    [
      'lane',
      [
        [14, 0.6],
        [15, 1.6],
        [17, 6],
        [19, 16],
      ],
      kind === 'pack' ? 14 : 12.5,
    ],
    [
      'street',
      [
        [12, 0.5],
        [14, 2],
        [16, 7],
        [19, 26],
      ],
      kind === 'pack' ? 12.4 : 11.5,
    ],
    [
      'main',
      [
        [11, 0.9],
        [13, 2.4],
        [14, 3.6],
        [16, 10],
        [19, 34],
      ],
      10,
    ],
    [
      'trunk',
      [
        [10, 1],
        [13, 3.4],
        [14, 5],
        [16, 13],
        [19, 40],
      ],
      0,
    ],
  ]
  const wider = (width: Stops): Stops => width.map(([zoom, value]) => [zoom, value + (zoom < 14 ? 1 : 1.8)])
  const casings = roads.map(([name, width, minzoom]) =>
    line(
      `road-${name}-casing`,
      'strassen',
      {
        colour: inks.casing,
        width: wider(width),
        opacity:
          name === 'lane' || name === 'street'
            ? [
                [13, 0],
                [14.5, 0.9],
              ]
            : 0.9,
      },
      isA(classes[name]),
      name === 'lane' ? Math.max(minzoom, 14) : minzoom,
    ),
  )
  const fills = roads.map(([name, width, minzoom]) =>
    line(`road-${name}`, 'strassen', { colour: inks[name], width }, isA(classes[name]), minzoom),
  )

  return [
    { id: 'ground', type: 'background', paint: { 'background-color': inks.ground } },
    area('canton', 'kanton', inks.city),
    area('parks', 'parks', inks.park),
    line(
      'quarters',
      'quartiere',
      {
        colour: inks.quarter,
        width: [
          [12, 0.6],
          [16, 1.2],
        ],
        dash: [1, 4],
        opacity: 0.5,
      },
      undefined,
      12.5,
    ),
    ...water,
    ...ripples,
    line('bank', bank, {
      colour: inks.bank,
      width: [
        [10, 0.6],
        [14, 1.4],
        [17, 2.4],
      ],
      opacity: 0.75,
    }),
    ...(kind === 'drawing' ? [area('squares', 'plaetze', inks.square)] : []),
    line(
      'ferries',
      'faehren',
      {
        colour: inks.ferry,
        width: [
          [13, 1],
          [16, 2],
        ],
        dash: [2, 2],
      },
      undefined,
      13,
    ),
    ...casings,
    ...fills,
    line(
      'tram',
      'tram',
      {
        colour: inks.tram,
        width: [
          [12, 0.6],
          [14, 1],
          [17, 2],
        ],
        opacity: 0.9,
      },
      undefined,
      12.5,
    ),
    line('rail', 'bahn', {
      colour: inks.rail,
      width: [
        [10, 1],
        [14, 2],
        [17, 4],
      ],
    }),
    line(
      'rail-sleepers',
      'bahn',
      {
        colour: inks.halo,
        width: [
          [12, 0.6],
          [14, 1.2],
          [17, 2.6],
        ],
        dash: [3, 3],
      },
      undefined,
      12,
    ),
    line('border', 'kanton', {
      colour: inks.border,
      width: [
        [10, 0.8],
        [15, 1.6],
      ],
      dash: [4, 2, 1, 2],
      opacity: 0.55,
    }),
    ...labels(inks, of),
  ]
}

type Of = (layer: string, filter?: FilterSpecification) => object

/** From the least to the most important: what is drawn later claims its place first. */
function labels(inks: MapInks, of: Of): LayerSpecification[] {
  const halo = { 'text-halo-color': inks.halo, 'text-halo-width': 1.6, 'text-halo-blur': 0.4 }
  const label = (
    id: string,
    source: object,
    minzoom: number,
    layout: Record<string, unknown>,
    paint: Record<string, unknown>,
    maxzoom = 24,
  ) =>
    ({
      id,
      type: 'symbol',
      ...source,
      minzoom,
      maxzoom,
      layout: { 'text-font': text, 'text-padding': 4, 'text-max-width': 8, ...layout },
      paint: { ...halo, ...paint },
    }) as LayerSpecification
  const alongStreet = (id: string, names: string[], minzoom: number, sizes: Stops, colour: string) =>
    label(
      id,
      of('strassen', ['all', ['in', ['get', 'c'], ['literal', names]], ['has', 'n']] as unknown as FilterSpecification),
      minzoom,
      {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'text-field': ['get', 'n'],
        'text-size': by(sizes),
        'text-max-angle': 32,
        'text-padding': 6,
      },
      { 'text-color': colour },
    )
  return [
    alongStreet(
      'name-lane',
      classes.lane,
      15.4,
      [
        [15, 10.5],
        [18, 14],
      ],
      inks.name,
    ),
    alongStreet(
      'name-street',
      classes.street,
      14.4,
      [
        [14, 10.5],
        [18, 15],
      ],
      inks.name,
    ),
    alongStreet(
      'name-main',
      [...classes.main, ...classes.trunk],
      13.4,
      [
        [13, 10.5],
        [18, 16],
      ],
      inks.name,
    ),
    label(
      'name-park',
      of('parks', ['has', 'name']),
      14.2,
      {
        'text-field': ['get', 'name'],
        'text-size': by([
          [14, 11],
          [18, 14],
        ]),
      },
      { 'text-color': inks.parkName },
    ),
    label(
      'name-tram-stop',
      of('haltestellen', ['==', ['get', 't'], 'tram']),
      14.6,
      {
        'icon-image': 'stop',
        'icon-size': 1,
        'text-field': ['get', 'name'],
        'text-font': strong,
        'text-size': by([
          [14, 10.5],
          [18, 13],
        ]),
        'text-anchor': 'left',
        'text-offset': [0.7, 0],
        'text-justify': 'left',
        'text-optional': true,
      },
      { 'text-color': inks.stop },
    ),
    label(
      'name-quarter',
      of('quartiere-labels'),
      12,
      {
        'text-field': ['upcase', ['get', 'name']],
        'text-font': strong,
        'text-letter-spacing': 0.22,
        'text-size': by([
          [12, 9.5],
          [14, 12.5],
          [16, 15],
        ]),
        'text-max-width': 7,
        'text-line-height': 1.25,
        'text-padding': 6,
        'text-variable-anchor': ['center', 'bottom', 'top', 'left', 'right'],
        'text-radial-offset': 1.6,
      },
      { 'text-color': inks.quarter },
      16.2,
    ),
    label(
      'name-town',
      of('umland-labels', ['==', ['get', 'k'], 'town']),
      9,
      {
        'text-field': ['get', 'name'],
        'text-font': strong,
        'text-size': by([
          [10, 11],
          [14, 15],
        ]),
        'text-letter-spacing': 0.04,
      },
      { 'text-color': inks.quarter, 'text-halo-color': inks.ground },
    ),
    label(
      'name-station',
      of('haltestellen', ['==', ['get', 't'], 'train']),
      12.2,
      {
        'icon-image': 'station',
        'text-field': ['get', 'name'],
        'text-font': strong,
        'text-size': by([
          [12, 11],
          [16, 15],
        ]),
        'text-anchor': 'left',
        'text-offset': [0.9, 0],
        'text-justify': 'left',
      },
      { 'text-color': inks.place },
    ),
    label(
      'name-river',
      of('umland-labels', ['all', ['==', ['get', 'k'], 'water'], ['==', ['geometry-type'], 'LineString']] as never),
      11,
      {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-field': ['get', 'name'],
        'text-font': display,
        'text-size': by([
          [11, 13],
          [13, 20],
          [15, 30],
          [17, 44],
        ]),
        'text-letter-spacing': 0.3,
        'text-max-angle': 38,
        // pins may lie on it, but it is never left out for them
        'text-allow-overlap': true,
        'text-padding': 8,
      },
      { 'text-color': inks.riverName, 'text-halo-color': inks.river, 'text-halo-width': 2 },
    ),
  ]
}
