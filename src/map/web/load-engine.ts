/// <reference types="vite/client" />
import { drawingFile } from '../outline-view.ts'
import type * as Engine from './engine.ts'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

/** One load for the tab; null again after a failure, so that the next call retries. */
let engine: Promise<typeof Engine> | null = null

/** The map's code. Call it on pages with a map, and before a link to one is pressed. */
export function loadEngine(): Promise<typeof Engine> {
  // so that the browser has the worker and the drawing in its cache
  if (!engine) for (const file of [workerUrl, drawingFile]) fetch(file).catch(() => {})
  engine ??= import('./engine.ts').catch((error: unknown) => {
    engine = null
    throw error
  })
  return engine
}

/** On the map's own page, loads the code after the first paint, before React has started; earlier it would compete with the page. */
export function loadEngineAfterPaint(path: string): void {
  if (typeof document === 'undefined' || location.pathname !== path) return
  if (!PerformanceObserver.supportedEntryTypes?.includes('paint')) return
  new PerformanceObserver((_, observer) => {
    observer.disconnect()
    loadEngine().catch(() => {})
  }).observe({ type: 'paint', buffered: true })
}

/** Once a tab: after a failure only the page itself retries, not every hover. */
let isPrefetched = false

/** When a link to the map is hovered, focused or touched. */
function prefetchMap(): void {
  if (isPrefetched || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  isPrefetched = true
  loadEngine().catch(() => {})
}

/** Handlers for a link to the map, which load its code before a press. */
export const mapIntent = { onPointerEnter: prefetchMap, onFocus: prefetchMap, onTouchStart: prefetchMap }
