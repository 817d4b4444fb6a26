import {
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import type { Position } from '../../kit/shared/geo.ts'
import type { Basemap, Credit, MapConfig } from '../contract.ts'
import { CreditLine } from './CreditLine.tsx'
import type { MapEngine, MapEvents, MapTheme, MapView as View } from './engine.ts'
import type { OverlayData, Place } from './overlay.ts'
import type { PictureMap, PictureMapHandle } from './PictureMap.tsx'
import { StillMap } from './StillMap.tsx'
import { useLiveMap } from './use-live-map.ts'
import { ZoomButtons } from './ZoomButtons.tsx'

export interface MapHandle {
  goTo(place: Position & { zoom?: number }): void
  view(): View | null
  /** Focuses the map. */
  focus(): void
}

/** Duration of the fade from the still picture to the live map. */
const fadeMs = 200

/**
 * The map as a part of a screen. One effect owns the engine (`use-live-map.ts`). Until the live map shows something, and without
 * JavaScript, there is a still picture; where no engine can run, one that can be scrolled. `data-map-ready` has the basemap in use.
 */
export function MapView({
  config,
  chosenTheme,
  start,
  data,
  label,
  cooperative,
  isCovered = false,
  coveredPx = 0,
  isUnderCard = false,
  handle,
  onReady,
  onMoved,
  onPick,
  onServerCluster,
  onHover,
  onBackground,
  pin,
  children,
}: {
  config: MapConfig
  /** Chosen by the visitor; `auto` follows the system. */
  chosenTheme: 'auto' | MapTheme
  start: Position & { zoom: number }
  data: OverlayData
  label: string
  cooperative: boolean
  /** On phones a sheet covers its lower edge. */
  isCovered?: boolean
  /** Height of the sheet. */
  coveredPx?: number
  /** On phones a card covers most of it, and would cover its controls. */
  isUnderCard?: boolean
  handle?: Ref<MapHandle>
  onReady?: (basemap: Basemap) => void
  onMoved?: (view: View, byVisitor: boolean) => void
  onPick?: (places: Place[]) => void
  onServerCluster?: (view: View) => void
  onHover?: (place: Place | null) => void
  onBackground?: () => void
  /** A single pin that is placed by a tap and can be dragged. */
  pin?: { at: Position | null; onPlaced: (to: Position) => void }
  /** Further controls, below the zoom. */
  children?: ReactNode
}) {
  const t = useTranslations('map')
  const box = useRef<HTMLDivElement>(null)
  const engine = useRef<MapEngine | null>(null)
  const outline = useRef<PictureMapHandle>(null)
  const drawer = () => outline.current ?? engine.current
  /** The view of the still picture, and the first view of the live map. */
  const [camera, setCamera] = useState(start)
  /** The same without waiting for a render: the engine may start before it. */
  const latest = useRef(start)
  const stand = useCallback((at: Partial<Position & { zoom: number }>) => {
    latest.current = { ...latest.current, ...at }
    setCamera(latest.current)
  }, [])
  const [basemap, setBasemap] = useState<Basemap | null>(null)
  const [credits, setCredits] = useState<Credit[]>([])
  const [isBlank, setBlank] = useState(false)
  const [isStill, setStill] = useState(true)
  const whole = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  const [Picture, setPicture] = useState<typeof PictureMap | null>(null)

  const placesOf = (keys: string[]) => data.places.filter((place) => keys.includes(place.key))
  const use = useEffectEvent((which: Basemap, more: Credit[]) => {
    setBasemap(which)
    setCredits(more.length > 0 ? more : creditsIn(config, which))
    onReady?.(which)
  })
  const tapped = (at: Position) => {
    pin?.onPlaced(at)
    onBackground?.()
  }
  const events: MapEvents = {
    onMoved: (view, byVisitor) => onMoved?.(view, byVisitor),
    onPick: (keys) => onPick?.(placesOf(keys)),
    onServerCluster: (view) => onServerCluster?.(view),
    onHover: (key) => onHover?.(placesOf(key === null ? [] : [key])[0] ?? null),
    onBackground: tapped,
    onDragged: (to) => pin?.onPlaced(to),
    onBlank(blank) {
      setBlank(blank)
      const at = blank && engine.current?.view()
      if (!at) return
      hadFocus.current = box.current?.contains(document.activeElement) ?? false
      stand(at)
      setStill(true)
    },
    onBasemap(which, more) {
      if (which !== 'outline' || Picture) return use(which, more)
      setStill(true)
      void loadPictureMap().then((loaded) => {
        if (loaded) setPicture(() => loaded)
        use('outline', [])
      })
    },
  }
  useLiveMap({
    engine,
    box,
    config,
    start: () => latest.current,
    data,
    label,
    cooperative,
    coveredPx,
    basemap,
    pin: pin?.at ?? null,
    events,
  })
  useImperativeHandle(
    handle,
    () => ({
      goTo: (place) => {
        drawer()?.goTo(place)
        stand(place)
      },
      view: () => drawer()?.view() ?? null,
      focus: () => focusOn(whole.current),
    }),
    [stand],
  )
  const isOutline = basemap === 'outline'
  const isLive = basemap !== null && !isOutline && !isBlank
  // the picture takes the focus over from the live map
  useEffect(() => {
    if (isOutline && hadFocus.current && document.activeElement === document.body) focusOn(whole.current)
  }, [isOutline])
  useEffect(() => {
    if (!isLive) return
    const timer = setTimeout(() => setStill(false), fadeMs)
    return () => clearTimeout(timer)
  }, [isLive])

  return (
    <div
      ref={whole}
      data-map-ready={basemap ?? undefined}
      className="@container absolute inset-0 overflow-clip bg-well"
    >
      {isOutline && Picture ? (
        <Picture
          theme={chosenTheme}
          start={camera}
          bounds={config.bounds}
          data={data}
          label={label}
          isCovered={isCovered}
          handle={outline}
          onMoved={(view, byVisitor) => onMoved?.(view, byVisitor)}
          onPick={(places) => onPick?.(places)}
          onServerCluster={(view) => onServerCluster?.(view)}
          onBackground={tapped}
        />
      ) : (
        isStill && <StillMap theme={chosenTheme} camera={camera} isCovered={isCovered} />
      )}
      <div
        ref={box}
        className={`absolute! inset-0 transition-opacity duration-200 ${isLive ? '' : 'invisible opacity-0'}`}
      />
      {basemap === null && <Waiting text={t('initializing')} />}
      <div className={`absolute top-3 right-3 z-10 grid gap-2 print-hidden ${isUnderCard ? 'stage:hidden' : ''}`}>
        {basemap !== null && <ZoomButtons zoomBy={(steps) => drawer()?.zoomBy(steps)} />}
        {children}
      </div>
      {basemap !== null && (
        <div className={`absolute right-0 z-10 max-w-full ${coveredPx > 0 ? 'bottom-44' : 'bottom-0'}`}>
          <CreditLine credits={credits} />
        </div>
      )}
    </div>
  )
}

/** Shown only with JavaScript: without it there is nothing to wait for. The picture below stays visible. */
function Waiting({ text }: { text: string }) {
  return useHydrated() ? (
    <div className="pointer-events-none absolute inset-x-0 top-3 z-10 grid justify-items-center px-16">
      <output className="figure flex items-center gap-3 rounded-6 border-2 border-night bg-lantern px-4 py-2 text-on-lantern">
        <Bars />
        {text}
      </output>
    </div>
  ) : null
}

/** Loaded only if needed; if that fails, the still picture stays. */
const loadPictureMap = () =>
  import('./PictureMap.tsx').then(
    (module) => module.PictureMap,
    () => null,
  )

const focusOn = (map: HTMLElement | null) =>
  map?.querySelector<HTMLElement>('canvas[tabindex], section[tabindex]')?.focus({ preventScroll: true })

const creditsIn = ({ credits }: MapConfig, basemap: Basemap): Credit[] =>
  credits[basemap === 'outline' ? 'drawing' : basemap]
