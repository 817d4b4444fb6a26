/// <reference types="vite/client" />
import { once, untilFailure } from '../../kit/browser/once.ts'
import { drawingFile } from '../outline-view.ts'
import type * as Engine from './engine.ts'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

/** The map's code, loaded once a tab. Call it on pages with a map, and before a link to one is pressed. */
export const loadEngine = untilFailure((): Promise<typeof Engine> => {
  // so that the browser has the worker and the drawing in its cache
  for (const file of [workerUrl, drawingFile]) fetch(file).catch(() => {})
  return import('./engine.ts')
})

/** On the map's own page, loads the code after the first paint, before React has started; earlier it would compete with the page. */
export function loadEngineAfterPaint(path: string): void {
  if (typeof document === 'undefined' || location.pathname !== path) return
  if (!PerformanceObserver.supportedEntryTypes?.includes('paint')) return
  new PerformanceObserver((_, observer) => {
    observer.disconnect()
    loadEngine().catch(() => {})
  }).observe({ type: 'paint', buffered: true })
}

/** When a link to the map is hovered, focused or touched. Once a tab: after a failure only the page itself retries, not every hover. */
const prefetchMap = once(() => {
  if (!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData) loadEngine().catch(() => {})
})

/** Handlers for a link to the map, which load its code before a press. */
export const mapIntent = { onPointerEnter: prefetchMap, onFocus: prefetchMap, onTouchStart: prefetchMap }
