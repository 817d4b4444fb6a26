import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type Ref,
} from 'react'
import type { Position } from '../../kit/shared/geo.ts'
import type { MapConfig } from '../contract.ts'
import type { MapEngine, MapTheme, MapView as View } from './engine.ts'
import { OutlinePins } from './OutlinePins.tsx'
import type { OverlayData, Place } from './overlay.ts'
import { fromPlane, marksOf, type Mark } from './still.ts'
import { onPlane, type Camera } from './still-picture.ts'
import { StillMap } from './StillMap.tsx'

/** What of the live map this one can do too. */
export type OutlineHandle = Pick<MapEngine, 'goTo' | 'zoomBy' | 'view'>

const zooms = { min: 11, max: 17 }
const step = 100
/** Less is a click by an unsteady hand. */
const dragPx = 5

/**
 * The map where a browser can draw none (no WebGL, or none left): the picture of the city, which can be moved and enlarged,
 * and its pins, gathered like those of the live map.
 */
export function OutlineMap({
  theme,
  start,
  bounds,
  data,
  label,
  isCovered,
  coveredPx,
  takesTouch,
  handle,
  onMoved,
  onPick,
  onHeap,
  onBackground,
}: {
  theme: 'auto' | MapTheme
  start: Camera
  bounds: MapConfig['bounds']
  data: OverlayData
  label: string
  isCovered: boolean
  coveredPx: number
  /** False where a finger scrolls the page the map lies in. */
  takesTouch: boolean
  handle: Ref<OutlineHandle>
  onMoved: (view: View, byVisitor: boolean) => void
  onPick: (places: Place[]) => void
  onHeap: (view: View) => void
  onBackground: (at: Position) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [camera, setCamera] = useState(start)
  const drag = useRef<{ id: number; x: number; y: number; from: Camera; isOn: boolean } | null>(null)
  /** Fingers on the map, and what two of them began with. */
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const pinch = useRef<{ from: Camera; span: number; x: number; y: number } | null>(null)
  const marks = useMemo(() => marksOf(data, camera.zoom), [data, camera.zoom])
  const middle = onPlane(camera, camera.zoom)
  const origin = onPlane(start, camera.zoom)

  const viewOf = (at: Camera): View => {
    const { width = 0, height: whole = 0 } = box.current?.getBoundingClientRect() ?? {}
    const height = whole - coveredPx
    const { x, y } = onPlane(at, at.zoom)
    const low = fromPlane({ x: x - width / 2, y: y + height / 2 }, at.zoom)
    const high = fromPlane({ x: x + width / 2, y: y - height / 2 }, at.zoom)
    return {
      ...at,
      bounds: { west: low.longitude, south: low.latitude, east: high.longitude, north: high.latitude },
    }
  }
  const kept = (at: Camera): Camera => ({
    latitude: Math.min(Math.max(at.latitude, bounds.south), bounds.north),
    longitude: Math.min(Math.max(at.longitude, bounds.west), bounds.east),
    zoom: Math.min(Math.max(at.zoom, zooms.min), zooms.max),
  })
  const stand = (at: Camera, byVisitor: boolean) => {
    const to = kept(at)
    setCamera(to)
    onMoved(viewOf(to), byVisitor)
    return to
  }
  const move = useEffectEvent(stand)
  useImperativeHandle(
    handle,
    () => ({
      goTo: ({ latitude, longitude, zoom }) => move({ latitude, longitude, zoom: zoom ?? camera.zoom }, false),
      zoomBy: (steps) => move({ ...camera, zoom: camera.zoom + steps }, true),
      view: () => viewOf(camera),
    }),
    // oxlint-disable-next-line react/exhaustive-deps
    [camera],
  )

  const tellOnce = useEffectEvent(() => onMoved(viewOf(camera), false))
  useEffect(() => tellOnce(), [])

  const draggedTo = ({ clientX, clientY }: PointerEvent): Camera => {
    const { from, x, y } = drag.current!
    const at = onPlane(from, from.zoom)
    return { ...from, ...fromPlane({ x: at.x - (clientX - x), y: at.y - (clientY - y) }, from.zoom) }
  }
  /** Nearer by so many zooms, with the place below a point of the screen staying below it, or below `to`. */
  const zoomedAt = (from: Camera, by: number, at: { x: number; y: number }, to = at): Camera => {
    const { left, top, width, height } = box.current!.getBoundingClientRect()
    const zoom = Math.min(Math.max(from.zoom + by, zooms.min), zooms.max)
    const [dx, dy] = [left + width / 2, top + (height - coveredPx) / 2]
    const here = onPlane(from, from.zoom)
    const place = fromPlane({ x: here.x + at.x - dx, y: here.y + at.y - dy }, from.zoom)
    const there = onPlane(place, zoom)
    return { ...fromPlane({ x: there.x - (to.x - dx), y: there.y - (to.y - dy) }, zoom), zoom }
  }
  const placeAt = ({ clientX, clientY }: { clientX: number; clientY: number }): Position => {
    const { left, top, width, height } = box.current!.getBoundingClientRect()
    const [dx, dy] = [clientX - left - width / 2, clientY - top - (height - coveredPx) / 2]
    return fromPlane({ x: middle.x + dx, y: middle.y + dy }, camera.zoom)
  }
  const between = () => {
    const [one, other] = [...fingers.current.values()] as [{ x: number; y: number }, { x: number; y: number }]
    return {
      span: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)),
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
    }
  }
  const pinched = (): Camera => {
    const { from, span, x, y } = pinch.current!
    const now = between()
    return kept(zoomedAt(from, Math.log2(now.span / span), { x, y }, now))
  }
  /** The wheel enlarges as it does on the live map; React's own listener could not keep the page from scrolling. */
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!takesTouch && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const pixels = event.deltaY * (event.deltaMode === 0 ? 1 : 40)
    stand(zoomedAt(camera, Math.max(-1, Math.min(1, -pixels / 200)), { x: event.clientX, y: event.clientY }), true)
  })
  useEffect(() => {
    const element = box.current!
    const listen = (event: WheelEvent) => onWheel(event)
    element.addEventListener('wheel', listen, { passive: false })
    return () => element.removeEventListener('wheel', listen)
  }, [])
  const pressMark = (mark: Mark) => {
    const isGathered = mark.icon === 'deals' || mark.icon === 'merchants' || mark.places.length > 1
    if (!isGathered) return onPick(mark.places)
    const here = { ...fromPlane(mark, camera.zoom), zoom: camera.zoom + 1.5 }
    if (mark.places.length === 0) onHeap(viewOf(stand(here, false)))
    // as near as it gets: all of them as a list
    else if (camera.zoom >= zooms.max) onPick(mark.places)
    else stand(here, true)
  }
  const keys: Record<string, [x: number, y: number, zoom: number]> = {
    ArrowLeft: [-step, 0, 0],
    ArrowRight: [step, 0, 0],
    ArrowUp: [0, -step, 0],
    ArrowDown: [0, step, 0],
    '+': [0, 0, 1],
    '=': [0, 0, 1],
    '-': [0, 0, -1],
  }

  return (
    // what a map takes: arrow keys, plus and minus, and a finger or pointer that moves it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      role="application"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={(event) => {
        const by = keys[event.key]
        if (!by || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        const at = { x: middle.x + by[0], y: middle.y + by[1] }
        stand({ ...fromPlane(at, camera.zoom), zoom: camera.zoom + by[2] }, true)
      }}
      onPointerDown={(event) => {
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        if (fingers.current.size === 2) {
          pinch.current = { from: camera, ...between() }
          // what the first finger has begun is over, and its end is no press
          if (drag.current) drag.current = { ...drag.current, id: Number.NaN, isOn: true }
          return
        }
        if (event.button === 0 && event.isPrimary)
          drag.current = { id: event.pointerId, x: event.clientX, y: event.clientY, from: camera, isOn: false }
      }}
      onPointerMove={(event) => {
        if (fingers.current.has(event.pointerId))
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        if (pinch.current && fingers.current.size === 2) return setCamera(pinched())
        const on = drag.current
        if (!on || on.id !== event.pointerId) return
        if (!on.isOn && Math.hypot(event.clientX - on.x, event.clientY - on.y) < dragPx) return
        if (!on.isOn) event.currentTarget.setPointerCapture(event.pointerId)
        on.isOn = true
        setCamera(kept(draggedTo(event)))
      }}
      onPointerUp={(event) => {
        if (pinch.current) stand(pinched(), true)
        pinch.current = null
        fingers.current.delete(event.pointerId)
        if (drag.current?.isOn && drag.current.id === event.pointerId) stand(draggedTo(event), true)
        if (drag.current) drag.current.id = Number.NaN
      }}
      onPointerCancel={(event) => {
        fingers.current.delete(event.pointerId)
        pinch.current = drag.current = null
      }}
      onDoubleClick={(event) => stand(zoomedAt(camera, 1, { x: event.clientX, y: event.clientY }), true)}
      onClick={(event) => {
        const wasDrag = drag.current?.isOn
        drag.current = null
        if (wasDrag) return
        const key = (event.target as Element).closest('[data-mark]')?.getAttribute('data-mark')
        const mark = marks.find((each) => each.key === key)
        if (mark) pressMark(mark)
        else onBackground(placeAt(event))
      }}
      className={`absolute inset-0 cursor-grab select-none focus-visible:-outline-offset-4 active:cursor-grabbing ${takesTouch ? 'touch-none' : '[touch-action:pan-y]'}`}
    >
      <StillMap theme={theme} camera={camera} isCovered={isCovered}>
        <OutlinePins marks={marks} data={data} zoom={camera.zoom} origin={origin} middle={middle} />
      </StillMap>
    </div>
  )
}
