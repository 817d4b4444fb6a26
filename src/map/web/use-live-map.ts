import { useEffect, useEffectEvent, type RefObject } from 'react'
import { useTranslations } from 'use-intl'
import type { Position } from '../../kit/shared/geo.ts'
import type { Basemap, Credit, MapConfig } from '../contract.ts'
import type { MapEngine, MapView } from './engine.ts'
import type * as Engine from './engine.ts'
import { loadEngine } from './load-engine.ts'
import type { OverlayData } from './overlay.ts'
import { useMapTheme } from './use-theme.ts'

/** What the engine tells of: what it draws with, and what visitors do on it. */
export interface Told {
  basemap?: Basemap
  credits?: Credit[]
  moved?: { view: MapView; byVisitor: boolean }
  picked?: string[]
  heap?: MapView
  hovered?: string | null
  background?: Position
  dragged?: Position
  blank?: boolean
}

/** Starts the engine in `box` once its code has come, and hands it what changes. */
export function useLiveMap({
  engine,
  box,
  config,
  start,
  data,
  label,
  cooperative,
  coveredPx,
  basemap,
  pin,
  tell,
}: {
  engine: RefObject<MapEngine | null>
  box: RefObject<HTMLElement | null>
  config: MapConfig
  /** Where it begins, asked when it does. */
  start: () => Position & { zoom: number }
  data: OverlayData
  label: string
  cooperative: boolean
  coveredPx: number
  /** What it draws with; null: nothing yet. */
  basemap: Basemap | null
  pin: Position | null
  tell: (what: Told) => void
}) {
  const t = useTranslations('map')
  const theme = useMapTheme()
  const told = useEffectEvent(tell)
  const begin = useEffectEvent((module: typeof Engine, container: HTMLElement) =>
    module.startEngine(container, {
      config,
      theme,
      start: start(),
      cooperative,
      coveredPx,
      data,
      texts: {
        'Map.Title': label,
        'Marker.Title': label,
        'CooperativeGesturesHandler.WindowsHelpText': t('useCtrl'),
        'CooperativeGesturesHandler.MacHelpText': t('useCommand'),
        'CooperativeGesturesHandler.MobileHelpText': t('useTwoFingers'),
      },
      onBasemap: (which, more) => told({ basemap: which, credits: more }),
      onBlank: (blank) => told({ blank }),
      onMoved: (view, byVisitor) => told({ moved: { view, byVisitor } }),
      onPick: (keys) => told({ picked: keys }),
      onHeap: (view) => told({ heap: view }),
      onHover: (key) => told({ hovered: key }),
      onBackground: (at) => told({ background: at }),
      onDragged: (to) => told({ dragged: to }),
    }),
  )

  useEffect(() => {
    let isGone = false
    // a task of its own: a phone is not to wait for the page and the engine in one piece
    const ownTask = () => new Promise((resolve) => setTimeout(resolve))
    const arrived = Promise.all([loadEngine(), document.fonts.ready])
    void arrived.then(ownTask).then(
      async () => {
        const [module] = await arrived
        if (isGone || !box.current) return
        engine.current = begin(module, box.current)
      },
      // the code did not come: the outline is what there is
      () => !isGone && told({ basemap: 'outline' }),
    )
    return () => {
      isGone = true
      engine.current?.remove()
      engine.current = null
    }
  }, [engine, box])
  useEffect(() => engine.current?.setData(data), [engine, data])
  useEffect(() => engine.current?.setTheme(theme), [engine, theme])
  useEffect(() => engine.current?.setRoom({ cooperative, coveredPx }), [engine, cooperative, coveredPx])
  const pinLatitude = pin?.latitude
  const pinLongitude = pin?.longitude
  useEffect(() => {
    engine.current?.setPin(
      pinLatitude === undefined || pinLongitude === undefined
        ? null
        : { latitude: pinLatitude, longitude: pinLongitude },
    )
    // again once there is a map
  }, [engine, pinLatitude, pinLongitude, basemap])
}
