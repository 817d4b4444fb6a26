/// <reference types="vite/client" />
import {
  addProtocol,
  Map as LibreMap,
  Marker,
  setWorkerUrl,
  type GeoJSONSource,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import './map.css'
import type { Position } from '../../kit/shared/geo.ts'
import type { Basemap, Credit, MapConfig } from '../contract.ts'
import { mapInks } from '../inks.ts'
import { basemapOrder, styleTimeoutMs } from './basemap.ts'
import { basemapStyle } from './basemap-style.ts'
import { creditsIn } from './credits.ts'
import { loadOnlineStyle } from './load-style.ts'
import { listenToPointer, type PointerEvents } from './map-pointer.ts'
import { drawIcon, paintIcon, pinSize } from './pins.ts'
import { overlay, overlayFeatures, overlaySources, type OverlayData } from './overlay.ts'
import { watchBasemap, whenDrawn } from './watch-basemap.ts'

export type MapTheme = 'paper' | 'river'

export interface MapView extends Position {
  zoom: number
  bounds: { west: number; south: number; east: number; north: number }
}

export interface EngineOptions extends MapEvents {
  config: MapConfig
  theme: MapTheme
  start: Position & { zoom: number }
  /** MapLibre's own texts, by their keys. */
  texts: Record<string, string>
  /** For a map in a scrolling page: two fingers move it, one scrolls the page. */
  cooperative: boolean
  coveredPx: number
  data: OverlayData
}

export interface MapEvents extends PointerEvents {
  /** The basemap in use, and credits beyond those of the configuration; `outline`: this browser can draw no map. */
  onBasemap(basemap: Basemap, credits: Credit[]): void
  /** The WebGL context is lost (true) or restored (false); if it stays lost, the outline is used. */
  onBlank(isBlank: boolean): void
  onMoved(view: MapView, byVisitor: boolean): void
  /** The map has zoomed in on a cluster of the server. */
  onServerCluster(view: MapView): void
  onDragged(to: Position): void
}

export interface MapEngine {
  setData(data: OverlayData): void
  setTheme(theme: MapTheme): void
  /** For a page that was rotated or resized. */
  setLayout(layout: Pick<EngineOptions, 'cooperative' | 'coveredPx'>): void
  goTo(place: Position & { zoom?: number }): void
  zoomBy(steps: number): void
  /** A single draggable pin; null removes it. */
  setPin(at: Position | null): void
  /** Null without a map, or before it is ready. */
  view(): MapView | null
  /** MapLibre's map, for measurements from outside. */
  map: LibreMap
  remove(): void
}

const workerAddress = new URL(workerUrl, document.baseURI).href
setWorkerUrl(workerAddress)
allowOurWorker()

/**
 * MapLibre starts its worker by an address as a string, which Trusted Types allow only through a default policy: this one allows that
 * address and nothing else, neither markup nor code.
 */
function allowOurWorker() {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { defaultPolicy: unknown; createPolicy(name: string, rules: object): unknown }
  }
  if (!trustedTypes || trustedTypes.defaultPolicy) return
  trustedTypes.createPolicy('default', {
    createScriptURL: (url: string) => {
      if (url === workerAddress) return url
      throw new TypeError('Only the map may start a script, and only its own.')
    },
  })
}

/** While tiles load, a sixteenth of the pixels is drawn, for slow phones and machines. */
const roughPixelRatio = 0.25

/** Draws a map into an element, with the first basemap that really shows something. Nothing else in the app knows MapLibre. */
export function startEngine(container: HTMLElement, options: EngineOptions): MapEngine {
  const { config } = options
  const ending = new AbortController()
  const order = basemapOrder(config)
  let theme = options.theme
  let data = options.data
  /** The data that the map shows: of the style, or set since. */
  let drawn = data
  let start = options.start
  let { cooperative, coveredPx } = options
  let basemap: Basemap = order[0]!
  let watch: { stop(): void } | null = null
  let onlineStyle: StyleSpecification | null = null
  let map: LibreMap | null = null
  let isSharp = false

  const inks = () => mapInks[theme]

  async function styleOf(which: Basemap): Promise<StyleSpecification | null> {
    if (which === 'drawing') return basemapStyle(inks(), 'drawing')
    if (which === 'pack') {
      const { openPack } = await import('./pack.ts')
      const zooms = await openPack(config.packUrl!, { signal: ending.signal, addProtocol })
      return zooms && basemapStyle(inks(), 'pack', zooms)
    }
    onlineStyle ??= await loadOnlineStyle(config.styleUrl!, { signal: ending.signal, timeoutMs: styleTimeoutMs })
    return onlineStyle
  }

  const withOverlay = (style: StyleSpecification): StyleSpecification => {
    const own = overlay((drawn = data), inks())
    return { ...style, sources: { ...style.sources, ...own.sources }, layers: [...style.layers, ...own.layers] }
  }

  /** Sets changed data. Before the first frame, which is late in background tabs, sources are missing; `style.load` calls this again. */
  function draw() {
    if (!map || !Object.values(overlaySources).every((id) => map!.getSource(id))) return
    const before = overlayFeatures(drawn)
    const after = overlayFeatures(data)
    const same = drawn
    drawn = data
    const source = (id: string) => map!.getSource<GeoJSONSource>(id)!
    for (const [id, features] of Object.entries(after)) {
      if (isUnchanged(id, same, data) || (before[id]!.features.length === 0 && features.features.length === 0)) continue
      void source(id).setData(features)
      markBusy(map)
    }
  }

  async function use(which: Basemap): Promise<void> {
    watch?.stop()
    basemap = which
    if (which === 'outline') {
      map?.remove()
      map = null
      container.ariaBusy = null
      return options.onBasemap('outline', [])
    }
    const style = await styleOf(which)
    if (ending.signal.aborted || basemap !== which) return
    if (!style) return use(next(which))
    try {
      if (map) map.setStyle(withOverlay(style), { diff: false, validate: which === 'online' })
      else map = create(withOverlay(style))
    } catch {
      // no WebGL, or too many contexts
      return use('outline')
    }
    const current = map
    const isCurrent = () => map === current && basemap === which && !ending.signal.aborted
    const ready = () => options.onBasemap(which, which === 'online' ? creditsOf(current, style) : [])
    // in a task of its own, because the frame before was long
    const isAlive = () => void setTimeout(() => isCurrent() && sharpen(ready))
    watch = watchBasemap(current, style, {
      onAlive: isAlive,
      onDead: () => void use(next(which)),
      // the drawing stays even if empty: outside of the city pins are on plain ground
      onEmpty: () => (next(which) === 'outline' ? isAlive() : void use(next(which))),
    })
  }
  /** Until the map is ready it is hidden and its frames are small; then it is drawn once in full resolution. */
  function sharpen(then: () => void) {
    if (!map || isSharp) return then()
    isSharp = true
    const sharp = map
    map.once(
      'idle',
      () => void whenDrawn(sharp.getCanvas(), ending.signal).then(() => !ending.signal.aborted && then()),
    )
    map.setPixelRatio(devicePixelRatio)
  }
  const next = (after: Basemap): Basemap => order[order.indexOf(after) + 1] ?? 'outline'

  function create(style: StyleSpecification): LibreMap {
    const { bounds } = config
    const created = new LibreMap({
      container,
      style,
      center: [start.longitude, start.latitude],
      zoom: start.zoom,
      minZoom: 9,
      maxZoom: 19,
      maxBounds: [bounds.west, bounds.south, bounds.east, bounds.north],
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      rollEnabled: false,
      maxPitch: 0,
      cooperativeGestures: cooperative,
      locale: options.texts,
      fadeDuration: 0,
      renderWorldCopies: false,
      // our own style is covered by tests
      validateStyle: basemap === 'online',
      clickTolerance: 5,
      pixelRatio: isSharp ? devicePixelRatio : roughPixelRatio,
    })
    if (coveredPx > 0) created.setPadding({ top: 0, right: 0, bottom: coveredPx, left: 0 })
    // browsers defer drawing a hidden canvas; flush, so that shaders and textures are ready before it is shown
    const hurry = () => {
      if (isSharp) return void created.off('render', hurry)
      const gl = created.getCanvas().getContext('webgl2')
      gl?.deleteSync(gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0))
      gl?.flush()
    }
    created.on('render', hurry)
    created.on('style.load', draw)
    created.touchZoomRotate.disableRotation()
    created.keyboard.disableRotation()
    created.setMissingStyleImageResolver((id: string) => {
      const icon = drawIcon(id, inks())
      if (icon && !created.hasImage(id)) created.addImage(id, icon.data, icon.options)
    })
    listen(created)
    return created
  }

  function listen(to: LibreMap) {
    let byVisitor = false
    to.on('movestart', (event) => {
      if ((event as { originalEvent?: Event }).originalEvent) byVisitor = true
    })
    to.on('moveend', () => {
      options.onMoved(viewOf(to, coveredPx), byVisitor)
      byVisitor = false
    })
    // without a listener MapLibre logs each error; the status line shows those that matter
    to.on('error', () => {})
    let lost: ReturnType<typeof setTimeout> | undefined
    to.on('webglcontextlost', () => {
      lost = setTimeout(() => void use('outline'), 3000)
      options.onBlank(true)
    })
    to.on('webglcontextrestored', () => {
      clearTimeout(lost)
      to.once('idle', () => options.onBlank(false))
    })
    listenToPointer(to, {
      ...options,
      onServerCluster: () => options.onServerCluster(viewOf(to, coveredPx)),
      isPin: (at) => pin?.getElement().contains(at) ?? false,
    })
  }

  /** `aria-busy` until new data are drawn: before that a tap finds no pin. */
  function markBusy(drawing: LibreMap) {
    if (container.ariaBusy === 'true') return
    container.ariaBusy = 'true'
    drawing.once('idle', () => (container.ariaBusy = null))
  }

  let pin: Marker | null = null
  function createPin(): Marker {
    const element = document.createElement('canvas')
    paintIcon(element, 'deal other now', inks())
    element.style.width = element.style.height = `${pinSize}px`
    const created = new Marker({ element, draggable: true, anchor: 'bottom' })
    created.on('dragend', () => {
      const { lat, lng } = created.getLngLat()
      options.onDragged({ latitude: lat, longitude: lng })
    })
    return created
  }

  void use(order[0]!)

  return {
    get map() {
      return map!
    },
    setData(fresh) {
      data = fresh
      draw()
    },
    setTheme(fresh) {
      if (fresh === theme) return
      theme = fresh
      if (map) void use(basemap)
    },
    setLayout(layout) {
      if (layout.cooperative === cooperative && layout.coveredPx === coveredPx) return
      ;({ cooperative, coveredPx } = layout)
      if (cooperative) map?.cooperativeGestures.enable()
      // its hint hides itself after 100 ms and fails if it is gone by then
      else setTimeout(() => cooperative || map?.cooperativeGestures.disable(), 200)
      map?.setPadding({ top: 0, right: 0, bottom: coveredPx, left: 0 })
    },
    goTo({ latitude, longitude, zoom }) {
      if (map) map.easeTo({ center: [longitude, latitude], ...(zoom === undefined ? {} : { zoom }), duration: 700 })
      else start = { latitude, longitude, zoom: zoom ?? start.zoom }
    },
    zoomBy(steps) {
      if (map) map.easeTo({ zoom: map.getZoom() + steps, duration: 250 }, { originalEvent: new Event('button') })
    },
    setPin(at) {
      if (!at || !map) {
        pin?.remove()
        pin = null
        return
      }
      pin ??= createPin()
      pin.setLngLat([at.longitude, at.latitude]).addTo(map)
    },
    view: () => (map ? viewOf(map, coveredPx) : null),
    remove() {
      ending.abort()
      watch?.stop()
      map?.remove()
      map = null
    },
  }
}

/** Whether a source's part of the data is the same arrays: then it needs no new index. */
function isUnchanged(id: string, before: OverlayData, after: OverlayData): boolean {
  if (id === overlaySources.own) return before.own === after.own
  if (id === overlaySources.focus) return before.focus === after.focus && before.chosen === after.chosen
  return before.places === after.places && before.clusters === after.clusters
}

/** The visible part of the map, without what a sheet of that height covers. */
function viewOf(map: LibreMap, coveredPx: number): MapView {
  const { lat, lng } = map.getCenter()
  const bounds = map.getBounds()
  const edge = map.getCanvas().clientHeight - coveredPx
  return {
    latitude: lat,
    longitude: lng,
    zoom: map.getZoom(),
    bounds: {
      west: bounds.getWest(),
      south: map.unproject([0, edge]).lat,
      east: bounds.getEast(),
      north: bounds.getNorth(),
    },
  }
}

/** Credits of the style's sources: in the style itself, or in their TileJSON, which loads later. */
function creditsOf(map: LibreMap, style: StyleSpecification): Credit[] {
  const attributions = Object.entries(style.sources).map(
    ([id, source]) =>
      (source as { attribution?: unknown }).attribution ??
      (map.getSource(id) as { attribution?: unknown } | undefined)?.attribution,
  )
  return creditsIn(attributions.filter((each): each is string => typeof each === 'string'))
}
