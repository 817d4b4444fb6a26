import { useEffectEvent, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react'
import type { Position } from '../../kit/shared/geo.ts'
import type { MapConfig } from '../contract.ts'
import { CityPicture } from './CityPicture.tsx'
import type { MapEngine, MapTheme, MapView as View } from './engine.ts'
import type { OverlayData, Place } from './overlay.ts'
import { OwnSpot, PicturePin } from './PicturePin.tsx'
import { fromPlane, marksOf, type Mark } from './still.ts'
import { onPlane, pictureAround, type Camera } from './still-picture.ts'

/** The part of the engine's interface that this map has too. */
export type PictureMapHandle = Pick<MapEngine, 'goTo' | 'zoomBy' | 'view'>

const zooms = { min: 11, max: 17 }
/** A scroll ends after this time without a scroll event. */
const scrolledMs = 150

/**
 * The map without WebGL: the picture of the city with pins, gathered as on the live map, in a scrolling frame. The list beside it is
 * the accessible view. Rendered in browsers only, so it can use the style attribute.
 */
export function PictureMap({
  theme,
  start,
  bounds,
  data,
  label,
  isCovered,
  handle,
  onMoved,
  onPick,
  onServerCluster,
  onBackground,
}: {
  theme: 'auto' | MapTheme
  start: Camera
  bounds: MapConfig['bounds']
  data: OverlayData
  label: string
  isCovered: boolean
  handle: Ref<PictureMapHandle>
  onMoved: (view: View, byVisitor: boolean) => void
  onPick: (places: Place[]) => void
  onServerCluster: (view: View) => void
  onBackground: (at: Position) => void
}) {
  const frame = useRef<HTMLElement>(null)
  /** The last view set by the app; visitors scroll from there. */
  const [put, setPut] = useState({ ...within(start), byVisitor: false })
  const { zoom } = put
  const corner = onPlane({ latitude: bounds.north, longitude: bounds.west }, zoom)
  const end = onPlane({ latitude: bounds.south, longitude: bounds.east }, zoom)
  const picture = pictureAround({ latitude: bounds.north, longitude: bounds.west, zoom })
  const marks = useMemo(() => marksOf(data, zoom), [data, zoom])

  /** The position at a point of the picture, in CSS pixels from its corner. */
  const placeAt = (x: number, y: number) => fromPlane({ x: corner.x + x, y: corner.y + y }, zoom)
  const here = (): Camera => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame.current!
    return { ...placeAt(scrollLeft + clientWidth / 2, scrollTop + clientHeight / 2), zoom }
  }
  const viewAt = (camera: Camera): View => {
    const { clientWidth: width, clientHeight: height } = frame.current!
    const { x, y } = onPlane(camera, camera.zoom)
    const low = fromPlane({ x: x - width / 2, y: y + height / 2 }, camera.zoom)
    const high = fromPlane({ x: x + width / 2, y: y - height / 2 }, camera.zoom)
    return {
      ...camera,
      bounds: { west: low.longitude, south: low.latitude, east: high.longitude, north: high.latitude },
    }
  }
  const goTo = (to: Camera, byVisitor: boolean) => setPut({ ...within(to), byVisitor })
  useImperativeHandle(handle, () => ({
    goTo: (to) => goTo({ ...to, zoom: to.zoom ?? zoom }, false),
    zoomBy: (steps) => goTo({ ...here(), zoom: zoom + steps }, true),
    view: () => viewAt(here()),
  }))

  /** The scroll position set by the app. */
  const still = useRef({ left: 0, top: 0 })
  const scroll = useEffectEvent(() => {
    const box = frame.current!
    const { x, y } = onPlane(put, zoom)
    box.scrollTo(x - corner.x - box.clientWidth / 2, y - corner.y - box.clientHeight / 2)
    still.current = { left: box.scrollLeft, top: box.scrollTop }
    onMoved(viewAt(put), put.byVisitor)
  })
  useLayoutEffect(() => scroll(), [put])

  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const arrived = useEffectEvent(() => {
    const { scrollLeft: left, scrollTop: top } = frame.current ?? { scrollLeft: 0, scrollTop: 0 }
    if (!frame.current || (left === still.current.left && top === still.current.top)) return
    still.current = { left, top }
    onMoved(viewAt(here()), true)
  })
  const press = (mark: Mark) => {
    const isGathered = mark.icon === 'deals' || mark.icon === 'merchants' || mark.places.length > 1
    // at the nearest zoom a number opens a list
    if (!isGathered || (zoom >= zooms.max && mark.places.length > 0)) return onPick(mark.places)
    const nearer = within({ ...fromPlane(mark, zoom), zoom: zoom + 1.5 })
    goTo(nearer, mark.places.length > 0)
    // a cluster of the server needs a new search
    if (mark.places.length === 0) onServerCluster(viewAt(nearer))
  }

  return (
    <section
      ref={frame}
      aria-label={label}
      // focusable, so that keys can scroll it
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={() => {
        clearTimeout(waiting.current)
        waiting.current = setTimeout(arrived, scrolledMs)
      }}
      className={`absolute inset-0 overflow-auto overscroll-contain select-none focus-visible:-outline-offset-4 ${isCovered ? 'stage:bottom-44' : ''}`}
    >
      {/* keys and screen readers use the list instead of the pins */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        aria-hidden="true"
        onClick={({ target, currentTarget, clientX, clientY }) => {
          const key = (target as Element).closest('[data-mark]')?.getAttribute('data-mark')
          const mark = marks.find((each) => each.key === key)
          if (mark) return press(mark)
          const { left, top } = currentTarget.getBoundingClientRect()
          onBackground(placeAt(clientX - left, clientY - top))
        }}
        style={{ width: end.x - corner.x, height: end.y - corner.y }}
        className="relative min-h-full min-w-full overflow-clip"
      >
        <div
          className="absolute"
          style={{ left: picture.x, top: picture.y, width: picture.width, height: picture.height }}
        >
          <CityPicture theme={theme} zoom={zoom} />
        </div>
        {data.own && <OwnSpot at={onPlane(data.own, zoom)} from={corner} />}
        {marks.map((mark) => (
          <PicturePin key={mark.key} mark={mark} from={corner} isMarked={isMarked(mark, data)} />
        ))}
      </div>
    </section>
  )
}

const within = ({ zoom, latitude, longitude }: Camera): Camera => ({
  latitude,
  longitude,
  zoom: Math.min(Math.max(zoom, zooms.min), zooms.max),
})

const isMarked = (mark: Mark, { focus, chosen }: OverlayData) =>
  mark.places.some(({ key }) => key === focus?.key || key === chosen?.key)
