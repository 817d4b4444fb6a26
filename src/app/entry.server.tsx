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
import { prepareCatalogue } from './catalogues.ts'
import type { AskedPage } from './pages.ts'
import { withOwnStart } from './start-scripts.ts'
import { hasPlain } from './plain.ts'
import plainPage from 'inline:app/plain-page.ts'
import textFiles from 'texts:files'

/** What belongs to one document and is none of the screens' business. */
const documents = new WeakMap<object, { nonce: string; onError: (error: unknown) => void }>()

/** How the server asks for a page; with `build` it is the only door into this bundle. */
export function screensOf(build: ServerBuild) {
  const handle = createRequestHandler(build, import.meta.env.DEV ? 'development' : 'production')
  return {
    async handle(request: Request, { nonce, onError, ...asked }: AskedPage): Promise<Response> {
      await prepareCatalogue(asked.locale)
      const context = new RouterContextProvider()
      context.set(pageContext, asked)
      documents.set(context, { nonce, onError })
      return handle(request, context)
    },
  }
}

/**
 * Renders the whole page to one string: twice as fast as a stream, and no screen here streams. The loader data follow
 * in the same inline scripts that the streaming renderer would send.
 */
export default async function handleRequest(
  _request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = documents.get(context)?.nonce ?? ''
  const handoff = await new Response(entry.serverHandoffStream).text()
  entry.serverHandoffStream = undefined
  const html = renderToString(
    <NonceContext value={nonce}>
      <ServerRouter context={entry} url={_request.url} nonce={nonce} />
    </NonceContext>,
  )
  const isPlain = hasPlain(entry.staticHandlerContext.matches.map(({ route }) => route))
  const scripts = isPlain
    ? `<script nonce="${nonce}">${plainPage}</script>`
    : entry.renderMeta?.didRenderScripts
      ? `<script nonce="${nonce}">window.__reactRouterContext.streamController.enqueue(${scriptJson(handoff)});window.__reactRouterContext.streamController.close();</script>`
      : ''
  headers.set('content-type', 'text/html; charset=utf-8')
  // while developing, Vite's own way of starting, which brings its parts along
  const page = import.meta.env.DEV ? html : withOwnStart(html, entry, textFiles, context.get(pageContext).locale)
  const end = page.lastIndexOf('</body>')
  return new Response(`<!DOCTYPE html>${page.slice(0, end)}${scripts}${page.slice(end)}`, { status, headers })
}

/** Only what is a bug of ours is reported; a refusal, a 404 or a wrong method is an answer. */
export function handleError(error: unknown, { request, context }: { request: Request; context?: object }) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  documents.get(context ?? {})?.onError(error)
}
