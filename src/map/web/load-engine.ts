/// <reference types="vite/client" />
import { drawingFile } from '../outline-view.ts'
import type * as Engine from './engine.ts'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

let wanted: Promise<typeof Engine> | null = null

/** The map's code, fetched once; only pages with a map, and links to them that somebody is about to press, ask for it. */
export function loadEngine(): Promise<typeof Engine> {
  // the worker starts from the browser's cache then, and finds the drawing there
  if (!wanted) for (const file of [workerUrl, drawingFile]) fetch(file).catch(() => {})
  wanted ??= import('./engine.ts').catch((error: unknown) => {
    wanted = null
    throw error
  })
  return wanted
}

/**
 * On the map's own page the code need not wait for the page to come alive, only for it to be painted: before that it would
 * compete with what is read first.
 */
export function loadEngineAfterPaint(path: string): void {
  if (typeof document === 'undefined' || location.pathname !== path) return
  if (!PerformanceObserver.supportedEntryTypes?.includes('paint')) return
  new PerformanceObserver((_, observer) => {
    observer.disconnect()
    loadEngine().catch(() => {})
  }).observe({ type: 'paint', buffered: true })
}

let isPrefetched = false

/** When a link to the map has the pointer, the focus or a finger. Failing is nobody's business: the page tries again. */
function prefetchMap(): void {
  if (isPrefetched || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  isPrefetched = true
  loadEngine().catch(() => {})
}

/** For a link to the map: its code is fetched before it is pressed. */
export const mapIntent = { onPointerEnter: prefetchMap, onFocus: prefetchMap, onTouchStart: prefetchMap }
