import type { Map as LibreMap, StyleSpecification } from 'maplibre-gl'
import { tileSign, tileSources, watchTiles, type TileVerdict } from './load-style.ts'
import { isOverlay } from './overlay.ts'

/**
 * Decides whether a basemap works. Maps that show nothing fire `load` and `idle` too, so drawn features are counted; `watchTiles`
 * decides whether tiles load. `onEmpty`: tiles loaded, but they have no features.
 */
export function watchBasemap(
  map: LibreMap,
  style: StyleSpecification,
  { onAlive, onDead, onEmpty }: { onAlive: () => void; onDead: () => void; onEmpty: () => void },
): { stop(): void } {
  const sources = tileSources(style)
  const watch = watchTiles(() => performance.now(), sources.size)
  const signs = ['sourcedata', 'error', 'idle'] as const
  let timer: ReturnType<typeof setTimeout> | undefined
  // raster tiles have no features to count: one that has loaded is enough
  let hasPicture = false
  const isDrawn = (part?: [[number, number], [number, number]]) =>
    map.queryRenderedFeatures(part).some(({ layer }) => !isOverlay(layer.id))
  // a few pixels are mostly enough; querying all takes a phone a tenth of a second
  const shows = () => {
    const { clientWidth, clientHeight } = map.getCanvas()
    const [x, y] = [clientWidth / 2, clientHeight / 3]
    return (
      hasPicture ||
      isDrawn([
        [x, y],
        [x + 2, y + 2],
      ]) ||
      isDrawn()
    )
  }
  const end = (then: () => void) => {
    stop()
    then()
  }
  const judge = (verdict: TileVerdict) => {
    clearTimeout(timer)
    if (verdict === 'given_up') return end(onDead)
    const wait = watch.decidesInMs()
    if (wait !== null) timer = setTimeout(() => judge(watch.verdict()), wait + 5)
  }
  const onSign = (event: { type: string; sourceId?: string }) => {
    // everything has loaded (a missing tile counts as empty), and nothing is visible
    if (event.type === 'idle' && !document.hidden)
      return end(shows() ? onAlive : watch.verdict() === 'arrived' ? onEmpty : onDead)
    const sign = tileSign(event, sources)
    if (sign === 'tile' && style.sources[event.sourceId!]?.type === 'raster') hasPicture = true
    if (sign) judge(watch.note(sign))
  }
  const onVisibility = () => judge(watch.note(document.hidden ? 'hidden' : 'shown'))
  function stop() {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisibility)
    for (const sign of signs) map.off(sign, onSign as never)
  }
  for (const sign of signs) map.on(sign, onSign as never)
  document.addEventListener('visibilitychange', onVisibility)
  judge('waiting')
  return { stop }
}

/** How long to wait for the GPU, and how often to poll it. */
const drawnTimeoutMs = 5000
const drawnEveryMs = 8

/**
 * Resolves when the GPU has drawn everything. A canvas shown earlier would block the whole page, for a quarter of a second without
 * a GPU.
 */
export async function whenDrawn(canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  const gl = canvas.getContext('webgl2')
  const fence = gl?.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  if (!gl || !fence) return
  gl.flush()
  const until = performance.now() + drawnTimeoutMs
  while (performance.now() < until && !signal.aborted && !gl.isContextLost()) {
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) break
    await new Promise((resolve) => setTimeout(resolve, drawnEveryMs))
  }
  gl.deleteSync(fence)
}
