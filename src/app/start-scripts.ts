import type { EntryContext } from 'react-router'
import { scriptJson } from '../kit/browser/script-json.ts'

/** Texts of each script that says some, by language: file names below /assets/. */
export type TextFiles = Record<string, Record<string, string>>

/**
 * The page as the router has written it, but brought alive in our own way: its preloads and the script that imports the
 * screens become one script that begins after the page has been painted.
 */
export function withOwnStart(html: string, entry: EntryContext, texts: TextFiles, locale: string): string {
  const preloaded = [...html.matchAll(preload)].map(([, href]) => href!)
  // the texts of each script too: found only from within it, they would cost a phone one more round each
  const said = preloaded.flatMap((href) => texts[href.slice(href.lastIndexOf('/') + 1)]?.[locale] ?? [])
  const files = [...new Set([...preloaded, ...said.map((name) => `/assets/${name}`)])]
  return html
    .replace(preload, '')
    .replace(importing, (_, opening: string) => `${opening}${startScript(entry, files)}</script>`)
}

const preload = /<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g
const importing = /(<script[^>]* type="module"[^>]*>)[^<]*<\/script>/

/**
 * The script that brings a page alive. It waits until the page has been painted with its pictures and letters, because
 * scripts would share the line with them; who touches the page earlier is not kept waiting, nor is anybody for longer
 * than `patienceMs`. A page in the background is not painted at all and begins when it has loaded.
 */
function startScript(entry: EntryContext, files: string[]): string {
  const { manifest, staticHandlerContext } = entry
  const ids = staticHandlerContext.matches.map(({ route }) => route.id!)
  const modules = ids.map((id) => manifest.routes[id]!.module)
  const told = scriptJson({ files, ids, modules, manifest: manifest.url, entry: manifest.entry.module })
  return `(${start.toString().replaceAll(/\n\s*/g, '\n')})(${told},${patienceMs})`
}

const patienceMs = 3000

interface Told {
  files: string[]
  /** Of the routes of this page, from the document down to the screen. */
  ids: string[]
  modules: string[]
  manifest: string
  entry: string
}

/** Runs in the browser, written into the page as it stands here: it uses nothing from outside. */
function start({ files, ids, modules, manifest, entry }: Told, patience: number) {
  let begun = false
  const begin = () => {
    if (begun) return
    begun = true
    for (const href of files) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = href
      document.head.append(link)
    }
    void Promise.all([manifest, ...modules].map((file) => import(/* @vite-ignore */ file))).then(([, ...routes]) => {
      Object.assign(window, { __reactRouterRouteModules: Object.fromEntries(ids.map((id, n) => [id, routes[n]])) })
      return import(/* @vite-ignore */ entry)
    })
  }
  const whenPainted = () => {
    if (document.hidden) begin()
    else new PerformanceObserver(() => setTimeout(begin)).observe({ type: 'paint', buffered: true })
  }
  for (const touch of ['pointerdown', 'keydown'] as const)
    addEventListener(touch, begin, { once: true, capture: true, passive: true })
  setTimeout(begin, patience)
  if (document.readyState === 'complete') whenPainted()
  else addEventListener('load', whenPainted, { once: true })
}
