import type { ExpressionSpecification, FilterSpecification } from 'maplibre-gl'

/** The first name of each stack is the weight, which MapLibre reads from there. */
const text = ['medium', 'Instrument Sans Variable', 'sans-serif']
const strong = ['semibold', 'Instrument Sans Variable', 'sans-serif']
const display = ['extra bold', 'Bricolage Display', 'Instrument Sans Variable', 'sans-serif']
export const mapFonts = { text, strong, display }

/** Values by zoom, interpolated exponentially. Zooms ascend: whole ones first, which is how objects sort their keys. */
export type Stops = Readonly<Record<number, number>>

export const by = (stops: Stops): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  ...Object.entries(stops).flatMap(([zoom, value]) => [Number(zoom), value]),
]

/** OpenStreetMap's classes of streets, as the drawing's four. */
export const classes = {
  trunk: ['motorway', 'trunk', 'primary'],
  main: ['secondary', 'tertiary'],
  street: ['residential', 'living_street', 'unclassified', 'road'],
  lane: ['pedestrian', 'service', 'track', 'path', 'cycleway', 'footway', 'steps'],
}

/** The source of a layer's features. */
export type LayerOf = (layer: string, filter?: FilterSpecification) => object
