import type { Map as LibreMap } from 'maplibre-gl'
import { mapFonts } from './basemap-style.ts'

type Draw = LibreMap['painter']['renderLayer']
type Layer = Parameters<Draw>[2]
type Frame = Parameters<Draw>[4]
type Configuration = Parameters<Frame['useProgram']>[1]

/** A task ends with the job that made it longer. */
const taskMs = 3

/**
 * Does what a map needs for its first frames while it still waits for its tiles, a little in each task. Done when it is
 * first needed, everything waits for it: a shader takes 2 to 15 ms, the letters of all names 20 ms, and they are needed in
 * the same two frames. What is left out is done then.
 */
export function warmUp(map: LibreMap): void {
  const { painter } = map
  const draw = painter.renderLayer.bind(painter)
  painter.renderLayer = (...args) => {
    painter.renderLayer = draw
    draw(...args)
    // the first frame says how this map is projected, and its style is there; another style has layers of its own
    const { style } = map
    const jobs = chain(shaders(map, args[4]), letters(map))
    setTimeout(function some() {
      const began = performance.now()
      while (map.style === style && !map._removed && !painter.context.gl.isContextLost()) {
        if (jobs.next().done) return
        if (performance.now() - began > taskMs) return void setTimeout(some)
      }
    })
  }
}

function* chain(...parts: Iterable<void>[]) {
  for (const part of parts) yield* part
}

const commonest = 'enratsildbhugockmpfwvzüöäéABCDEFGHIJKLMNOPRSTUVWZÄÖÜ .-'
const digits = '0123456789'

/** Names are set in the fonts of the page, each letter drawn once on a canvas. */
function* letters(map: LibreMap) {
  // an online style has letters of its own to fetch
  if (map.getGlyphs()) return
  const wanted: [stack: string[], letters: string][] = [
    [mapFonts.display, `Rhein${digits}`],
    [mapFonts.text, commonest],
    [mapFonts.strong, commonest + digits],
  ]
  for (const [stack, all] of wanted)
    for (const letter of all) {
      map.style.glyphManager.getGlyphs({ [stack.join(',')]: { default: [letter] } }).catch(() => {})
      yield
    }
}

function* shaders(map: LibreMap, frame: Frame) {
  for (const id of map.style._order) {
    const layer = map.style._layers[id]
    if (layer && !layer.isHidden(map.getZoom())) yield build(layer, frame, map.getZoom())
  }
  frame.useProgram('clippingMask')
}

/** What an empty bucket of any kind tells; of symbols it is in two parts, which `createArrays` makes. */
interface Bucket {
  programConfigurations: { get(layer: string): Configuration }
  text: Pick<Bucket, 'programConfigurations'>
  icon: Pick<Bucket, 'programConfigurations'>
  createArrays(): void
}

/** A bucket is what MapLibre's worker fills with the features of a tile; an empty one tells the same shader. */
function build(layer: Layer, frame: Frame, zoom: number): void {
  const bucket = layer.createBucket?.({
    layers: [layer],
    zoom: Math.floor(zoom),
    index: 0,
    overscaling: 1,
    pixelRatio: 1,
    sourceLayerIndex: 0,
    sourceID: layer.source,
  } as never) as Bucket | undefined
  if (!bucket) return
  const use = (name: string, { programConfigurations }: Pick<Bucket, 'programConfigurations'> = bucket) =>
    frame.useProgram(name, programConfigurations.get(layer.id))
  if (layer.type === 'fill') {
    use('fill')
    if (layer.getPaintProperty('fill-antialias') !== false) use('fillOutline')
  }
  if (layer.type === 'line') use(layer.getPaintProperty('line-dasharray') ? 'lineSDF' : 'line')
  if (layer.type === 'circle') use('circle')
  if (layer.type === 'symbol') {
    bucket.createArrays()
    if (layer.getLayoutProperty('icon-image')) use('symbolIcon', bucket.icon)
    if (layer.getLayoutProperty('text-field')) use('symbolSDF', bucket.text)
  }
}
