import type { EntryContext } from 'react-router'
import startEarly from 'inline:app/boot/start-early.ts'
import startPage from 'inline:app/boot/start-page.ts'
import { scriptJson } from '../../kit/browser/script-json.ts'
import type { Locale } from '../server/languages.ts'
import { catalogueOf } from './catalogues.ts'
import type { Told } from './start-page.ts'

/** Texts of each script that says some, by language: file names below /assets/. */
export type TextFiles = Record<string, Record<string, string>>

/**
 * The page as the router has written it, but brought alive in our own way: its preloads and the script that imports the
 * screens become one script that begins after the page has been painted.
 */
export function withOwnStart(
  html: string,
  entry: EntryContext,
  { texts, locale, atOnce }: { texts: TextFiles; locale: Locale; atOnce: boolean },
): string {
  const preloaded = [...html.matchAll(preload)].map(([, href]) => href!)
  // the texts of each script too: found only from within it, they would cost a phone one more round each
  const said = preloaded.flatMap((href) => texts[href.slice(href.lastIndexOf('/') + 1)]?.[locale] ?? [])
  const first = [entry.manifest.url, entry.manifest.entry.module]
  const files = [...new Set([...first, ...preloaded, ...said.map((name) => `/assets/${name}`)])]
  const isLong = html.length > longLength
  const told = { files: isLong ? first : files, atOnce: atOnce || undefined, old: catalogueOf(locale).start.tooOld }
  const early = (nonce: string) => `<script${nonce}>(()=>{${startEarly};page(${scriptJson(files)})})()</script>`
  return html
    .replace(preload, '')
    .replace(styleSheet, (link, nonce = '') => (isLong ? early(nonce) + link : link))
    .replace(importing, (_, opening: string) => `${opening}${startScript(entry, told)}</script>`)
}

/** Letters of a page: as many as a timetable of 200 events has. */
const longLength = 200_000

const preload = /<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g
const styleSheet = /<link( nonce="[^"]*")?[^>]* rel="stylesheet"[^>]*>/
const importing = /(<script[^>]* type="module"[^>]*>)[^<]*<\/script>/

function startScript(entry: EntryContext, how: Pick<Told, 'files' | 'atOnce' | 'old'>): string {
  const { manifest, staticHandlerContext } = entry
  const ids = staticHandlerContext.matches.map(({ route }) => route.id!)
  const modules = ids.map((id) => manifest.routes[id]!.module)
  const told: Told = { ...how, ids, modules }
  return `{${startPage};page(${scriptJson(told)})}`
}
