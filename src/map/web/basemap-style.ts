import type { FilterSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapInks } from '../inks.ts'
import { drawingFile } from '../outline-view.ts'
import { nameLayers } from './basemap-names.ts'
import { by, classes, type Stops } from './style-parts.ts'

export const basemapSource = 'basemap'
/** Address at which the engine serves tiles of the pack in memory. */
const packTiles = 'rheinklang-pack://{z}/{x}/{y}'

type Kind = 'drawing' | 'pack'

/** Zooms for which a pack has tiles; beyond the last one they are enlarged. */
export interface PackZooms {
  minZoom: number
  maxZoom: number
}
/** For a pack without zooms. */
const usualZooms: PackZooms = { minZoom: 9, maxZoom: 14 }

/**
 * The style of the own basemap, from the drawing or a pack, whose layers have the same names and properties. Without `glyphs`, so names
 * are set in the fonts of the page.
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

interface Line {
  width: Stops
  colour: string
  dash?: number[]
  opacity?: Stops | number
  offset?: Stops
  minzoom?: number
  filter?: FilterSpecification
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
    { width, colour, dash, opacity = 1, offset, minzoom = 0, filter }: Line,
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

  // in a pack the river is only an area, and its edge includes the border in the middle of the river
  const bank = kind === 'drawing' ? 'ufer' : 'rhein'
  // lines that follow the bank, as in engravings; in a pack no farther from it than the margin of its tiles (8 px at zoom 14), or
  // seams would show
  const ripples = [
    [3, 0.5],
    [kind === 'pack' ? 5 : 6, 0.36],
    [kind === 'pack' ? 7 : 9.5, 0.24],
  ].map(([offset, opacity], index) =>
    line(`rhein-ripple-${index}`, bank, {
      minzoom: 12.2,
      colour: inks.ripple,
      width: { 11: 0.4, 14: 0.8, 17: 1.4 },
      opacity: opacity!,
      offset: { 11: offset! * 0.2, 13: offset! * 0.6, 14: offset!, 15: offset! * 2, 16: offset! * 4, 18: offset! * 16 },
    }),
  )

  const roads: [name: keyof typeof classes, width: Stops, minzoom: number][] = [
    ['lane', { 14: 0.6, 15: 1.6, 17: 6, 19: 16 }, kind === 'pack' ? 14 : 12.5],
    ['street', { 12: 0.5, 14: 2, 16: 7, 19: 26 }, kind === 'pack' ? 12.4 : 11.5],
    ['main', { 11: 0.9, 13: 2.4, 14: 3.6, 16: 10, 19: 34 }, 10],
    ['trunk', { 10: 1, 13: 3.4, 14: 5, 16: 13, 19: 40 }, 0],
  ]
  const wider = (width: Stops): Stops =>
    Object.fromEntries(Object.entries(width).map(([zoom, value]) => [zoom, value + (Number(zoom) < 14 ? 1 : 1.8)]))
  const casings = roads.map(([name, width, minzoom]) =>
    line(`road-${name}-casing`, 'strassen', {
      filter: isA(classes[name]),
      minzoom: name === 'lane' ? Math.max(minzoom, 14) : minzoom,
      colour: inks.casing,
      width: wider(width),
      opacity: name === 'lane' || name === 'street' ? { 13: 0, 14.5: 0.9 } : 0.9,
    }),
  )
  const fills = roads.map(([name, width, minzoom]) =>
    line(`road-${name}`, 'strassen', { filter: isA(classes[name]), minzoom, colour: inks[name], width }),
  )

  return [
    { id: 'ground', type: 'background', paint: { 'background-color': inks.ground } },
    area('canton', 'kanton', inks.city),
    area('parks', 'parks', inks.park),
    line('quarters', 'quartiere', {
      minzoom: 12.5,
      colour: inks.quarter,
      width: { 12: 0.6, 16: 1.2 },
      dash: [1, 4],
      opacity: 0.5,
    }),
    area('umland-water', 'umland', inks.river),
    area('rhein-water', 'rhein', inks.river),
    ...ripples,
    line('bank', bank, { colour: inks.bank, width: { 10: 0.6, 14: 1.4, 17: 2.4 }, opacity: 0.75 }),
    ...(kind === 'drawing' ? [area('squares', 'plaetze', inks.square)] : []),
    line('ferries', 'faehren', { minzoom: 13, colour: inks.ferry, width: { 13: 1, 16: 2 }, dash: [2, 2] }),
    ...casings,
    ...fills,
    line('tram', 'tram', { minzoom: 12.5, colour: inks.tram, width: { 12: 0.6, 14: 1, 17: 2 }, opacity: 0.9 }),
    line('rail', 'bahn', { colour: inks.rail, width: { 10: 1, 14: 2, 17: 4 } }),
    line('rail-sleepers', 'bahn', {
      minzoom: 12,
      colour: inks.halo,
      width: { 12: 0.6, 14: 1.2, 17: 2.6 },
      dash: [3, 3],
    }),
    line('border', 'kanton', { colour: inks.border, width: { 10: 0.8, 15: 1.6 }, dash: [4, 2, 1, 2], opacity: 0.55 }),
    ...nameLayers(inks, of),
  ]
}
