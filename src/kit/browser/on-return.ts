/** Data of this age are asked for anew when somebody comes back to them, ms. */
export const staleAfterMs = 5 * 60_000

/** What the service worker says to an open page when somebody taps a push that leads to it. */
export const pushTapMessage = 'told-anew'

/**
 * Calls `tell` when a page is looked at again: after another tab or app, a locked phone, or the way back to a page that the
 * browser has kept. Its timers may have rested meanwhile. @returns what ends it
 */
export function onReturn(tell: () => void): () => void {
  const look = () => document.hidden || tell()
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
