import type { FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { MapInks } from '../inks.ts'
import { by, classes, mapFonts, type LayerOf, type Stops } from './style-parts.ts'

/** The names of a basemap, the most important last: MapLibre places later layers first. */
export function nameLayers(inks: MapInks, of: LayerOf): LayerSpecification[] {
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
      layout: { 'text-font': mapFonts.text, 'text-padding': 4, 'text-max-width': 8, ...layout },
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
    alongStreet('name-lane', classes.lane, 15.4, { 15: 10.5, 18: 14 }, inks.name),
    alongStreet('name-street', classes.street, 14.4, { 14: 10.5, 18: 15 }, inks.name),
    alongStreet('name-main', [...classes.main, ...classes.trunk], 13.4, { 13: 10.5, 18: 16 }, inks.name),
    label(
      'name-park',
      of('parks', ['has', 'name']),
      14.2,
      { 'text-field': ['get', 'name'], 'text-size': by({ 14: 11, 18: 14 }) },
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
        'text-font': mapFonts.strong,
        'text-size': by({ 14: 10.5, 18: 13 }),
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
        'text-font': mapFonts.strong,
        'text-letter-spacing': 0.22,
        'text-size': by({ 12: 9.5, 14: 12.5, 16: 15 }),
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
        'text-font': mapFonts.strong,
        'text-size': by({ 10: 11, 14: 15 }),
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
        'text-font': mapFonts.strong,
        'text-size': by({ 12: 11, 16: 15 }),
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
        'text-font': mapFonts.display,
        'text-size': by({ 11: 13, 13: 20, 15: 30, 17: 44 }),
        'text-letter-spacing': 0.3,
        'text-max-angle': 38,
        // never left out for pins, which may cover it
        'text-allow-overlap': true,
        'text-padding': 8,
      },
      { 'text-color': inks.riverName, 'text-halo-color': inks.river, 'text-halo-width': 2 },
    ),
  ]
}
