import { nearBeforeAlive } from './early-near.ts'
import { submitBeforeAlive } from './early-submit.ts'

const patienceMs = 3000

/** `old`: text for browsers that cannot start the page. `begin="now"`: the page is empty without its scripts. */
const { old = '', begin } = document.currentScript!.dataset

/** Leaves the page as the server rendered it, with links and plain forms, and says so. */
function stay() {
  const className = 'bg-lantern px-4 py-2.5 font-semibold text-on-lantern'
  document.body.prepend(Object.assign(document.createElement('p'), { className, textContent: old }))
  // forms that only the app can send
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-waits]')) button.disabled = true
}

/** Starts the router's script, which `sleeping.ts` has made inert. */
function wake() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) link.rel = 'modulepreload'
  const script = document.querySelector<HTMLScriptElement>('script[type=later]')
  if (!script) return
  const place = new Comment()
  script.replaceWith(place)
  script.type = 'module'
  // a script runs only when it is inserted with a known type, so it is taken out and put back
  place.replaceWith(script)
}

function stayWhereStartFails() {
  const starting = new AbortController()
  const { signal } = starting
  const onFault = (error: unknown) => {
    // a script that could not be fetched, or came as the login page of a Wi-Fi, may come later; all engines use these words
    if (!error || / module|MIME/.test(String(error))) return
    starting.abort()
    stay()
  }
  addEventListener('error', ({ error }) => onFault(error), { signal })
  addEventListener('unhandledrejection', ({ reason }) => onFault(reason), { signal })
  // sent by entry.client.tsx; from then on ServerPage.tsx handles errors
  addEventListener('started', () => starting.abort())
  addEventListener('stay', stay)
}

/**
 * Starts the app after the page is painted, so that scripts do not slow down pictures and fonts; earlier at the first touch or
 * key, and after `patienceMs` at the latest. A page in the background is never painted and starts when it is loaded.
 */
function wakeInTime() {
  // without a network everything comes from the phone's cache at once
  if (begin === 'now' || !navigator.onLine) return wake()
  for (const touch of ['pointerdown', 'keydown'] as const)
    addEventListener(touch, wake, { once: true, capture: true, passive: true })
  setTimeout(wake, patienceMs)
  addEventListener('load', () => {
    if (document.hidden) wake()
    else new PerformanceObserver(() => setTimeout(wake)).observe({ type: 'paint', buffered: true })
  })
}

/** Of the strip of what is needed now, whose note begins with the time until when it holds (here-and-now/needed-note.ts). */
function keepPlace() {
  try {
    if (Number.parseInt(localStorage['myNeeded'] as string) > Date.now())
      document.documentElement.dataset['needed'] = ''
  } catch {
    // storage is blocked
  }
}

// the newest method that all supported browsers have: without it the browser is too old (scripts/oldest-browsers.ts)
if (!''.isWellFormed) stay()
else {
  keepPlace()
  stayWhereStartFails()
  addEventListener('click', nearBeforeAlive)
  addEventListener('submit', submitBeforeAlive)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', wakeInTime)
  else wakeInTime()
}
