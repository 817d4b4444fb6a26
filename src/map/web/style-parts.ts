import type { ExpressionSpecification, FilterSpecification } from 'maplibre-gl'

/** The first name of each stack is the weight, which MapLibre reads from there. */
const text = ['medium', 'Instrument Sans Variable', 'sans-serif']
const strong = ['semibold', 'Instrument Sans Variable', 'sans-serif']
const display = ['extra bold', 'Bricolage Display', 'Instrument Sans Variable', 'sans-serif']
export const mapFonts = { text, strong, display }

/** Values by zoom, interpolated exponentially. */
export type Stops = [zoom: number, value: number][]

export const by = (stops: Stops): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as unknown as ExpressionSpecification

/** OpenStreetMap's classes of streets, as the drawing's four. */
export const classes = {
  trunk: ['motorway', 'trunk', 'primary'],
  main: ['secondary', 'tertiary'],
  street: ['residential', 'living_street', 'unclassified', 'road'],
  lane: ['pedestrian', 'service', 'track', 'path', 'cycleway', 'footway', 'steps'],
}

/** The source of a layer's features. */
export type LayerOf = (layer: string, filter?: FilterSpecification) => object
