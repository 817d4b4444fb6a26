/** Older data are fetched again when somebody comes back to them, ms. */
export const staleAfterMs = 5 * 60_000

/** Message of the service worker to an open page when somebody taps a push that leads to this page. */
export const pushTapMessage = 'told-anew'

/**
 * Calls `callback` when somebody looks at the page again: after another tab or app, a locked phone, or the way back to a
 * page of the browser's back/forward cache. Timers of the page may have slept meanwhile. @returns stops it
 */
export function onReturn(callback: () => void): () => void {
  const look = () => document.hidden || callback()
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
