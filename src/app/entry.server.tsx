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
import { pageContext } from '../kit/browser/asking.ts'
import { NonceContext } from '../kit/browser/nonce.ts'
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
 * Renders the whole page before it is sent. Browsers must be able to draw the same from the data of its loaders, so a page
 * is the same as before when these are.
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
  const { loaderData, actionData, errors } = entry.staticHandlerContext
  const madeOf = hash('sha256', JSON.stringify([status, loaderData, actionData, errors]), 'base64')
  headers.set('content-type', 'text/html; charset=utf-8')
  // a page of one person: what is theirs is drawn by scripts
  const atOnce = headers.get('cache-control') === 'no-store'
  const html = madeOf === making.known ? null : await pageOf(request.url, entry, context, { ...making, atOnce })
  making.page = { madeOf, html }
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
  { nonce, onError, atOnce }: Pick<Making, 'nonce' | 'onError'> & { atOnce: boolean },
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
  // while developing, Vite's own way of starting, which brings its parts along
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

/** The whole page: without JavaScript, nothing of it may come hidden for a script to show. */
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
