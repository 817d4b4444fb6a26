import { hash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import {
  createRequestHandler,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
  type ServerBuild,
} from 'react-router'
import { pageContext } from '../kit/browser/ask.ts'
import { NonceContext } from '../kit/browser/nonce.ts'
import { BuildContext } from './boot/build.ts'
import { catalogueOf, prepareCatalogue } from './boot/catalogues.ts'
import type { Document, Unchanged } from './server/document-cache.ts'
import type { Locale } from './server/languages.ts'
import type { PageRequest } from './server/pages.ts'
import { sleeping } from './boot/sleeping.ts'
import { hasPlain } from './boot/plain.ts'
import plainPage from 'inline:app/boot/plain-page.ts'
import textFiles from 'texts:files'

/** State of one rendering, hidden from the screens. */
interface Rendering {
  nonce: string
  onError: (error: unknown) => void
  known: string | null
  /** Hash of the page's data, and the page; `html` null: the hash is the known one, so nothing was rendered. */
  page?: { madeOf: string; html: string | null }
}
const renderings = new WeakMap<object, Rendering>()

/** How the server renders pages. With `build` the only thing that it uses of this bundle. */
export function screensOf(build: ServerBuild) {
  const handle = createRequestHandler(build, import.meta.env.DEV ? 'development' : 'production')
  return {
    async handle(request: Request, { nonce, onError, known, ...page }: PageRequest): Promise<Document | Unchanged> {
      await prepareCatalogue(page.locale)
      const context = new RouterContextProvider()
      context.set(pageContext, page)
      const rendering: Rendering = { nonce, onError, known }
      renderings.set(context, rendering)
      const response = await handle(request, context)
      const rendered = rendering.page
      if (rendered?.html === null) return 'unchanged'
      const html = rendered?.html ?? (await response.text())
      return { status: response.status, headers: [...response.headers], html, madeOf: rendered?.madeOf ?? null }
    },
  }
}

/**
 * Renders the whole page before it is sent. A page depends on the data of its loaders alone, since browsers draw it again from
 * them: same data, same page.
 *
 * @returns an answer without the page, which the router would encode and decode again
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const rendering = renderings.get(context)!
  const { loaderData, actionData, errors } = entry.staticHandlerContext
  const madeOf = hash('sha256', JSON.stringify([status, loaderData, actionData, errors]), 'base64')
  headers.set('content-type', 'text/html; charset=utf-8')
  // a private page: scripts draw its content
  const atOnce = headers.get('cache-control') === 'no-store'
  const html = madeOf === rendering.known ? null : await pageOf(request.url, entry, context, { ...rendering, atOnce })
  rendering.page = { madeOf, html }
  return new Response(null, { status, headers })
}

/** Routes of the screens that people go to next. */
const nextScreens = [
  'screens/HomeScreen',
  'deals',
  'deal/:deal_id',
  'business',
  'business/:business_id',
  'screens/NotFoundScreen',
]

async function pageOf(
  url: string,
  entry: EntryContext,
  context: RouterContextProvider,
  { nonce, onError, atOnce }: Pick<Rendering, 'nonce' | 'onError'> & { atOnce: boolean },
) {
  const page = await render(
    <NonceContext value={nonce}>
      <BuildContext value={entry.manifest.version}>
        <ServerRouter context={entry} url={url} nonce={nonce} />
      </BuildContext>
    </NonceContext>,
    { nonce, onError },
  )
  if (hasPlain(entry.staticHandlerContext.matches.map(({ route }) => route))) {
    const end = page.lastIndexOf('</body>')
    return `${page.slice(0, end)}<script nonce="${nonce}">${plainPage}</script>${page.slice(end)}`
  }
  // during development Vite starts the page
  if (import.meta.env.DEV) return page
  const { locale } = context.get(pageContext)
  const { routes } = entry.manifest
  return sleeping(page, {
    nonce,
    texts: textsOf(entry, locale),
    next: nextScreens.map((id) => routes[id]!.module),
    old: catalogueOf(locale).start.tooOld,
    atOnce,
  })
}

/** Renders the whole page. Streamed parts come hidden and need a script to show them, which fails without JavaScript. */
function render(page: ReactNode, { nonce, onError }: { nonce: string; onError: (error: unknown) => void }) {
  return new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      progressiveChunkSize: Infinity,
      onError,
      onShellError: reject,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
    })
  })
}

/** Files of the texts that the scripts of a page need. */
function textsOf({ manifest, staticHandlerContext }: EntryContext, locale: Locale): string[] {
  const routes = staticHandlerContext.matches.map(({ route }) => manifest.routes[route.id!]!)
  const scripts = [manifest.entry, ...routes].flatMap(({ module, imports = [] }) => [module, ...imports])
  return [...new Set(scripts)].flatMap((file) => textFiles[file.slice(file.lastIndexOf('/') + 1)]?.[locale] ?? [])
}

/** Reports bugs only: a refusal, a 404 or a wrong method is an answer. */
export function handleError(error: unknown, { request, context }: { request: Request; context?: object }) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  renderings.get(context ?? {})?.onError(error)
}
