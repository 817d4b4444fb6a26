import { hash } from 'node:crypto'
import { renderToString } from 'react-dom/server'
import {
  createRequestHandler,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
  type ServerBuild,
} from 'react-router'
import { pageContext } from '../kit/browser/asking.ts'
import { NonceContext } from '../kit/browser/nonce.ts'
import { scriptJson } from '../kit/browser/script-json.ts'
import { BuildContext } from './boot/build.ts'
import { catalogueOf, prepareCatalogue } from './boot/catalogues.ts'
import type { Document, Unchanged } from './server/document-cache.ts'
import type { Locale } from './server/languages.ts'
import type { AskedPage } from './server/pages.ts'
import { sleeping } from './boot/sleeping.ts'
import { hasPlain } from './boot/plain.ts'
import plainPage from 'inline:app/boot/plain-page.ts'
import textFiles from 'texts:files'

/** What belongs to one document and is none of the screens' business. */
interface Making {
  nonce: string
  onError: (error: unknown) => void
  known: string | null
  /** What the page is made of and how it reads, null when that is known. */
  page?: { madeOf: string; html: string | null }
}
const documents = new WeakMap<object, Making>()

/** How the server asks for a page; with `build` it is the only door into this bundle. */
export function screensOf(build: ServerBuild) {
  const handle = createRequestHandler(build, import.meta.env.DEV ? 'development' : 'production')
  return {
    async handle(request: Request, { nonce, onError, known, ...asked }: AskedPage): Promise<Document | Unchanged> {
      await prepareCatalogue(asked.locale)
      const context = new RouterContextProvider()
      context.set(pageContext, asked)
      const making: Making = { nonce, onError, known }
      documents.set(context, making)
      const response = await handle(request, context)
      const { page } = making
      if (page?.html === null) return 'unchanged'
      const html = page?.html ?? (await response.text())
      return { status: response.status, headers: [...response.headers], html, madeOf: page?.madeOf ?? null }
    },
  }
}

/**
 * Renders the whole page to one string: twice as fast as a stream, and no screen here streams. The loader data follow
 * in the same inline scripts that the streaming renderer would send. As browsers must be able to draw the same from
 * them, a page is the same as before when they are.
 *
 * @returns an answer without the page, which would be encoded and decoded on its way through the router
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const making = documents.get(context)!
  const { nonce, known } = making
  const handoff = await new Response(entry.serverHandoffStream).text()
  entry.serverHandoffStream = undefined
  const madeOf = hash('sha256', `${status} ${handoff}`, 'base64')
  headers.set('content-type', 'text/html; charset=utf-8')
  // a page of one person: what is theirs is drawn by scripts
  const atOnce = headers.get('cache-control') === 'no-store'
  const html = madeOf === known ? null : pageOf(request.url, entry, context, { nonce, handoff, atOnce })
  making.page = { madeOf, html }
  return new Response(null, { status, headers })
}

function pageOf(
  url: string,
  entry: EntryContext,
  context: RouterContextProvider,
  { nonce, handoff, atOnce }: { nonce: string; handoff: string; atOnce: boolean },
) {
  const html = renderToString(
    <NonceContext value={nonce}>
      <BuildContext value={entry.manifest.version}>
        <ServerRouter context={entry} url={url} nonce={nonce} />
      </BuildContext>
    </NonceContext>,
  )
  const isPlain = hasPlain(entry.staticHandlerContext.matches.map(({ route }) => route))
  const scripts = isPlain
    ? `<script nonce="${nonce}">${plainPage}</script>`
    : entry.renderMeta?.didRenderScripts
      ? `<script nonce="${nonce}">window.__reactRouterContext.streamController.enqueue(${scriptJson(handoff)});window.__reactRouterContext.streamController.close();</script>`
      : ''
  const { locale } = context.get(pageContext)
  const start = { nonce, texts: textsOf(entry, locale), old: catalogueOf(locale).start.tooOld, atOnce }
  // while developing, Vite's own way of starting, which brings its parts along
  const page = import.meta.env.DEV ? html : sleeping(html, start)
  const end = page.lastIndexOf('</body>')
  return `<!DOCTYPE html>${page.slice(0, end)}${scripts}${page.slice(end)}`
}

/** Files of the texts that the scripts of a page say. */
function textsOf({ manifest, staticHandlerContext }: EntryContext, locale: Locale): string[] {
  const routes = staticHandlerContext.matches.map(({ route }) => manifest.routes[route.id!]!)
  const scripts = [manifest.entry, ...routes].flatMap(({ module, imports = [] }) => [module, ...imports])
  return [...new Set(scripts)].flatMap((file) => textFiles[file.slice(file.lastIndexOf('/') + 1)]?.[locale] ?? [])
}

/** Only what is a bug of ours is reported; a refusal, a 404 or a wrong method is an answer. */
export function handleError(error: unknown, { request, context }: { request: Request; context?: object }) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  documents.get(context ?? {})?.onError(error)
}
