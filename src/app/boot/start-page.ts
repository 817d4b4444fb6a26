import { nearBeforeAlive } from './early-near.ts'
import { submitBeforeAlive } from './early-submit.ts'

const patienceMs = 3000

export interface Told {
  files: string[]
  /** Of the routes of this page, from the document down to the screen. */
  ids: string[]
  modules: string[]
  manifest: string
  entry: string
  /** What the page is for is drawn by its scripts: nothing else is worth waiting for. */
  atOnce: boolean
  /** A phone needs longer to draw it than its line to bring it. */
  isLong: boolean
}

/**
 * Brings a page alive; written into it. It waits until the page has been painted with its pictures and letters, because
 * scripts would share the line with them; who touches the page earlier is not kept waiting, nor is anybody for longer
 * than `patienceMs`. A page in the background is not painted at all and begins when it has loaded, and one that is empty without
 * its scripts begins at once. Those of a long page come while it is laid out, and wait for the paint.
 */
export default function start({ files, ids, modules, manifest, entry, atOnce, isLong }: Told) {
  let begun = false
  const fetchFiles = () => {
    for (const href of files.splice(0, 5))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
    // each takes a phone some 4 ms to begin
    if (files[0]) setTimeout(fetchFiles)
  }
  const begin = () => {
    if (begun) return
    begun = true
    fetchFiles()
    void Promise.all([manifest, ...modules].map((file) => import(/* @vite-ignore */ file)))
      .then(([, ...routes]) => {
        Object.assign(window, { __reactRouterRouteModules: Object.fromEntries(ids.map((id, n) => [id, routes[n]])) })
        return import(/* @vite-ignore */ entry)
      })
      .then(() => removeEventListener('click', nearBeforeAlive))
  }
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
  // the style sheet has come, for which scripts wait, and the line would lie idle while the page is laid out
  if (isLong) fetchFiles()
  if (document.readyState === 'complete') whenPainted()
  else addEventListener('load', whenPainted, { once: true })
}
