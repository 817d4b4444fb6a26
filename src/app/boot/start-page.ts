import { nearBeforeAlive } from './early-near.ts'
import { submitBeforeAlive } from './early-submit.ts'

const patienceMs = 3000

/** `old` is said where the page cannot come alive. `begin="now"`: what the page is for is drawn by its scripts. */
const { old = '', begin } = document.currentScript!.dataset

/** The page stays as the server has made it, with links and plain forms. */
function stay() {
  const className = 'bg-lantern px-4 py-2.5 font-semibold text-on-lantern'
  document.body.prepend(Object.assign(document.createElement('p'), { className, textContent: old }))
  // what these would send needs the app
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-waits]')) button.disabled = true
}

/** Starts the router's script, which came inert (`sleeping.ts`). */
function wake() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) link.rel = 'modulepreload'
  const script = document.querySelector<HTMLScriptElement>('script[type=later]')
  if (!script) return
  const place = new Comment()
  script.replaceWith(place)
  script.type = 'module'
  // a script runs once it is inserted with a type that the browser knows
  place.replaceWith(script)
}

function stayWhereStartFails() {
  const starting = new AbortController()
  const { signal } = starting
  const onFault = (error: unknown) => {
    // a file that does not come, or as a page of a Wi-Fi's login, may come later: all engines say one of these then
    if (!error || / module|MIME/.test(String(error))) return
    starting.abort()
    stay()
  }
  addEventListener('error', ({ error }) => onFault(error), { signal })
  addEventListener('unhandledrejection', ({ reason }) => onFault(reason), { signal })
  // from entry.client.tsx; then ServerPage.tsx takes care
  addEventListener('started', () => starting.abort())
  addEventListener('stay', stay)
}

/**
 * The app starts when the page has been painted with its pictures and letters, because scripts would share the line with
 * them; at the first touch or key if that is earlier, and after `patienceMs` at the latest. A page in the background is not
 * painted at all and starts when it has loaded.
 */
function wakeInTime() {
  // from the phone itself all comes at once, and shares no line with anything
  if (begin === 'now' || !navigator.onLine) return wake()
  for (const touch of ['pointerdown', 'keydown'] as const)
    addEventListener(touch, wake, { once: true, capture: true, passive: true })
  setTimeout(wake, patienceMs)
  addEventListener('load', () => {
    if (document.hidden) wake()
    else new PerformanceObserver(() => setTimeout(wake)).observe({ type: 'paint', buffered: true })
  })
}

// the language's newest method that all of the oldest browsers have (scripts/oldest-browsers.ts)
if (!''.isWellFormed) stay()
else {
  stayWhereStartFails()
  addEventListener('click', nearBeforeAlive)
  addEventListener('submit', submitBeforeAlive)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', wakeInTime)
  else wakeInTime()
}
