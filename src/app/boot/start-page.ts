import { nearBeforeAlive } from './early-near.ts'
import { submitBeforeAlive } from './early-submit.ts'
import { preloadFiles } from './preload-files.ts'

const patienceMs = 3000

export interface Told {
  /** The list of screens and the entry; then the others, but where `start-early.ts` fetches them. */
  files: string[]
  /** Of the routes of this page, from the document down to the screen. */
  ids: string[]
  modules: string[]
  /** What the page is for is drawn by its scripts: nothing else is worth waiting for. */
  atOnce?: boolean
  /** Said where the page cannot come alive. */
  old: string
}

/**
 * Brings a page alive; written into it. It waits until the page has been painted with its pictures and letters, because
 * scripts would share the line with them; who touches the page earlier is not kept waiting, nor is anybody for longer
 * than `patienceMs`. Where it cannot come alive it stays as the server has made it, with links and plain forms. A page in the background is not painted at all and begins when it has loaded, and one that is empty without
 * its scripts begins at once.
 */
export default function start({ files, ids, modules, atOnce, old }: Told) {
  const [manifest, entry] = files
  const stay = () => {
    const className = 'bg-lantern px-4 py-2.5 font-semibold text-on-lantern'
    document.body.prepend(Object.assign(document.createElement('p'), { className, textContent: old }))
    // what these would send needs the app
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-waits]')) button.disabled = true
  }
  // the language's newest method that all of the oldest browsers have (scripts/oldest-browsers.ts)
  if (!''.isWellFormed) return stay()
  let begun = false
  const begin = () => {
    if (begun) return
    begun = true
    preloadFiles(files)
    void Promise.all([manifest!, ...modules].map((file) => import(/* @vite-ignore */ file)))
      .then(([, ...routes]) => {
        Object.assign(window, { __reactRouterRouteModules: Object.fromEntries(ids.map((id, n) => [id, routes[n]])) })
        return import(/* @vite-ignore */ entry!)
      })
      .catch((error) => {
        // a file that does not come, or as a page of a Wi-Fi's login, may come later: all engines say one of these then
        if (!/ module|MIME/.test(error)) stay()
        throw error
      })
  }
  // from ServerPage.tsx
  addEventListener('stay', stay)
  addEventListener('click', nearBeforeAlive)
  addEventListener('submit', submitBeforeAlive)
  // from the phone itself all comes at once, and shares no line with anything
  if (atOnce || !navigator.onLine) return begin()
  const whenPainted = () => {
    if (document.hidden) begin()
    else new PerformanceObserver(() => setTimeout(begin)).observe({ type: 'paint', buffered: true })
  }
  for (const touch of ['pointerdown', 'keydown'] as const)
    addEventListener(touch, begin, { once: true, capture: true, passive: true })
  setTimeout(begin, patienceMs)
  // which waits for this script
  addEventListener('load', whenPainted)
}
