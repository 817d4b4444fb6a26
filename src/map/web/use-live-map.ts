import { useEffect, useEffectEvent, type RefObject } from 'react'
import { useTranslations } from 'use-intl'
import type { Position } from '../../kit/shared/geo.ts'
import type { Basemap, MapConfig } from '../contract.ts'
import type { MapEngine, MapEvents } from './engine.ts'
import type * as Engine from './engine.ts'
import { loadEngine } from './load-engine.ts'
import type { OverlayData } from './overlay.ts'
import { useMapTheme } from './use-theme.ts'

/** Starts the engine in `box` when its code is loaded, and passes changes to it. */
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
  events,
}: {
  engine: RefObject<MapEngine | null>
  box: RefObject<HTMLElement | null>
  config: MapConfig
  /** Returns the first view. Called once, when the engine starts. */
  start: () => Position & { zoom: number }
  data: OverlayData
  label: string
  cooperative: boolean
  coveredPx: number
  /** The basemap in use; null: none yet. */
  basemap: Basemap | null
  pin: Position | null
  events: MapEvents
}) {
  const t = useTranslations('map')
  const theme = useMapTheme()
  const latest = useEffectEvent(() => events)
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
      onBasemap: (...which) => latest().onBasemap(...which),
      onBlank: (isBlank) => latest().onBlank(isBlank),
      onMoved: (...moved) => latest().onMoved(...moved),
      onPick: (keys) => latest().onPick(keys),
      onServerCluster: (view) => latest().onServerCluster(view),
      onHover: (key) => latest().onHover(key),
      onBackground: (at) => latest().onBackground(at),
      onDragged: (to) => latest().onDragged(to),
    }),
  )

  useEffect(() => {
    let isGone = false
    // in a separate task: hydration and engine in one would block phones for too long
    const ownTask = () => new Promise((resolve) => setTimeout(resolve))
    const arrived = Promise.all([loadEngine(), document.fonts.ready])
    void arrived.then(ownTask).then(
      async () => {
        const [module] = await arrived
        if (isGone || !box.current) return
        engine.current = begin(module, box.current)
      },
      // the engine's code failed to load: show the outline
      () => !isGone && latest().onBasemap('outline', []),
    )
    return () => {
      isGone = true
      engine.current?.remove()
      engine.current = null
    }
  }, [engine, box])
  useEffect(() => engine.current?.setData(data), [engine, data])
  useEffect(() => engine.current?.setTheme(theme), [engine, theme])
  useEffect(() => engine.current?.setLayout({ cooperative, coveredPx }), [engine, cooperative, coveredPx])
  const pinLatitude = pin?.latitude
  const pinLongitude = pin?.longitude
  useEffect(() => {
    engine.current?.setPin(
      pinLatitude === undefined || pinLongitude === undefined
        ? null
        : { latitude: pinLatitude, longitude: pinLongitude },
    )
    // `basemap` is a dependency because a pin set before the map exists is lost
  }, [engine, pinLatitude, pinLongitude, basemap])
}
