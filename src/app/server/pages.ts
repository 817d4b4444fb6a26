import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withinAnswerTime } from '../../kit/server/answer-time.ts'
import { formLimitBytes } from '../../kit/server/read-form.ts'
import type { OpenRooms } from '../../kit/server/room.ts'
import { callInProcess, type RequestContext, type Operation } from '../../kit/server/serve-endpoint.ts'
import type { Call, Endpoint } from '../../kit/shared/endpoint.ts'
import type { Festival } from '../../brand/festival.ts'
import { hasJustHappened } from '../../kit/shared/happened.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { mailedLinkPages } from '../../site-map.ts'
import { ownOrigin, type Config } from '../config.ts'
import { isLoopback } from '../settings.ts'
import { withBanner } from './banner.ts'
import { serveBuiltFiles } from './built-files.ts'
import type { AskDays } from './festival-days.ts'
import { chosenLocale, chosenTheme, locales, themes, type Locale, type Theme } from './languages.ts'
import { serveOffline } from './offline.ts'
import { documentCache, type Document, type Unchanged } from './document-cache.ts'
import { withoutContent } from './logging.ts'
import { texts } from './texts.ts'

/** The only entry of the server into the bundle of screens. */
export interface ScreensBundle {
  handle(request: Request, page: PageRequest): Promise<Document | Unchanged>
}

export interface PageRequest {
  call: Call
  nonce: string
  /** Hash of the cached page's data. Same hash: skip rendering. */
  known: string | null
  /** Reports what broke while rendering. */
  onError: (error: unknown) => void
  locale: Locale
  theme: Theme
  /** e.g. https://deals.example.ch */
  origin: string
  festival: Festival
}

export interface Pages {
  screens: ScreensBundle
  /** Folder of the browser's files; null while a development server serves them. */
  clientDir: string | null
  /** How long a visitor waits for a fresh page before getting one of the last minute, ms. */
  patienceMs?: number
  /** Serves files during development. Pages then come without CSP and Trusted Types, which break Vite's client. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

/** Serves screens, their files, and the form that stores language and theme. */
export async function servePages(
  app: FastifyInstance,
  pages: Pages,
  parts: {
    config: Config
    operations: Operation[]
    open: Pick<OpenRooms, 'pageFiles'>
    askingOf: (request: FastifyRequest) => RequestContext
    changedCookie: string | null
    festivalDays: AskDays
    bannerIn: (locale: string) => Promise<string>
  },
) {
  const pageFiles = parts.open.pageFiles()
  if (pages.clientDir) {
    await serveFiles(app, pages.clientDir)
    await serveOffline(app, pages.clientDir, parts.config)
  }
  const { middleware } = pages
  if (middleware) {
    app.addHook('onRequest', async (request, reply) => {
      if (request.url.startsWith('/api/')) return
      for (const header of ['content-security-policy', 'cross-origin-embedder-policy']) {
        reply.removeHeader(header)
        reply.raw.removeHeader(header)
      }
      await new Promise<void>((resolve) => {
        reply.raw.once('close', resolve)
        middleware(request.raw, reply.raw, resolve)
      })
      if (reply.raw.headersSent) reply.hijack()
    })
  }
  const documentFor = documentCache(pages.patienceMs)
  await app.register(async (scope) => {
    // pages read the raw body themselves
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post('/preferences', (request, reply) => storePreference(request, reply, parts.config))
    scope.route({
      method: ['GET', 'POST'],
      url: '/*',
      exposeHeadRoute: true,
      handler: async (request, reply) => {
        const { config } = parts
        const origin = originOf(request, config)
        const url = safeUrl(request.raw.url ?? '/', origin)
        if (!url) return reply.redirect('/', 303)
        // the router throws for a form from another site: a refusal, not a fault of ours
        const level = foreignForm(request, url) ? 'info' : 'error'
        const onError = (error: unknown) => request.log[level]({ err: withoutContent(error) }, 'a page failed')
        const locale = chosenLocale(request.headers)
        const theme = chosenTheme(request.headers)
        const asking = parts.askingOf(request)
        // after an own change pages are read from the primary, so they have cache entries of their own
        const own = parts.changedCookie && !asking.mayLag ? 'own ' : ''
        // a page that shows the result of a form is not for other visitors
        const result = hasJustHappened(request.headers.cookie ?? '', url.pathname + url.search) ? 'happened ' : ''
        // read before the time limit of the answer begins, since a slow phone sends slowly
        const body = request.method === 'POST' ? await bodyOf(request, pageFiles[url.pathname]) : null
        const render = (nonce: string, known: string | null) => withinAnswerTime(() => rendered(nonce, known))
        const rendered = async (nonce: string, known: string | null) => {
          let waitS: number | null = null
          const onChange = () => parts.changedCookie && reply.header('set-cookie', parts.changedCookie)
          const onWait = (seconds: number) => (waitS = Math.max(seconds, waitS ?? 0))
          const call = callInProcess(parts.operations, texts, asking, { onError, onWait, onChange })
          const festival = { ...config.festival, days: await parts.festivalDays() }
          const page: PageRequest = { call, onError, nonce, known, locale, theme, origin, festival }
          const document = await pages.screens.handle(webRequest(request, url, body), page)
          return document === 'unchanged' ? document : passing(document, waitS)
        }
        const isCached = request.method === 'GET' && pages.clientDir !== null
        const answer = isCached
          ? await documentFor(`${locale} ${theme} ${own}${result}${url.href}`, request.nonce, render)
          : ((await render(request.nonce, null)) as Document)
        reply.status(answer.status)
        for (const [name, value] of answer.headers) if (name !== 'content-length') reply.header(name, value)
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
        reply.header('vary', 'Cookie, Accept-Language')
        return reply.send(withBanner(answer.html, await parts.bannerIn(locale)))
      },
    })
  })
}

/** The document. A temporary error is marked as not to be cached, and says when to retry. */
function passing(document: Document, waitS: number | null): Document {
  const { status, headers } = document
  if (status !== 429 && status < 500) return document
  const after: [string, string][] = waitS === null ? [] : [['retry-after', String(waitS)]]
  return { ...document, headers: [...headers, ['cache-control', 'no-store'], ...after] }
}

function foreignForm(request: FastifyRequest, url: URL): boolean {
  const { origin } = request.headers
  return request.method === 'POST' && origin !== undefined && URL.parse(origin)?.host !== url.host
}

/**
 * Whether the origin "null" is acceptable here. Pages of mailed links say `no-referrer`, so browsers send their forms with the
 * origin "null". These forms need the token of the mail, which no other site has.
 */
function isUnnamed(origin: unknown, url: URL): boolean {
  return origin === 'null' && mailedLinkPages.includes(url.pathname)
}

const bodyLimit = 64 * 1024

/** The body. A page that takes files has the size limit of the endpoint that gets them. */
async function bodyOf(request: FastifyRequest, files?: Endpoint['files']): Promise<Buffer<ArrayBuffer>> {
  const limit = files ? formLimitBytes(files) : bodyLimit
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.body ? (request.body as Readable) : request.raw) {
    size += (chunk as Buffer).length
    if (size > limit) throw Object.assign(new Error('Body too large'), { statusCode: 413 })
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function webRequest(request: FastifyRequest, url: URL, body: Buffer<ArrayBuffer> | null): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === 'origin' && isUnnamed(value, url)) continue
    try {
      if (typeof value === 'string') headers.set(name, value)
    } catch {
      // left out: the web's Request refuses this header, and no screen needs it
    }
  }
  return new Request(url, { method: request.method, headers, body })
}

/**
 * The address of the requested page, always on this site: extra slashes and backslashes in the path never become a host name.
 * null: the address cannot be read (bad escapes, not a path).
 */
export function safeUrl(target: string, origin: string): URL | null {
  if (!target.startsWith('/')) return null
  try {
    const [path = '/'] = target.split('?', 1)
    decodeURIComponent(path)
    const url = new URL(path.replace(/^[/\\]+/, '/') + target.slice(path.length), origin)
    url.pathname = url.pathname.replace(/^\/+/, '/')
    return url
  } catch {
    return null
  }
}

/**
 * The site's origin: PUBLIC_URL, else the requested host if it is loopback or private, so that 127.0.0.1 does not become
 * localhost. A foreign Host header never gets into a link.
 */
export function originOf(request: FastifyRequest, config: Config): string {
  if (config.publicUrl) return config.publicUrl
  const host = request.headers.host ?? ''
  const name = host.replace(/:\d+$/, '')
  const nearby =
    /^(localhost|127(\.\d{1,3}){3}|\[::1\]|10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|[\w-]+\.local)$/i
  if (nearby.test(name) && URL.canParse(`http://${host}`)) return `http://${host}`
  return ownOrigin(config)
}

/**
 * The origin for links in mails. Without PUBLIC_URL, mails that are really sent link to this machine: with a host from the request,
 * an attacker could make the link, and its token, lead to a private host of theirs.
 */
export function linkOriginOf(request: FastifyRequest, config: Config): string {
  const origin = originOf(request, config)
  const isSafe = config.publicUrl !== null || config.smtpUrl === null || isLoopback(new URL(origin).hostname)
  return isSafe ? origin : ownOrigin(config)
}

async function serveFiles(app: FastifyInstance, clientDir: string) {
  if (!existsSync(clientDir))
    throw new Error(`The screens are not built: ${clientDir} is missing. Run "npm run build".`)
  await serveBuiltFiles(app, join(clientDir, 'assets'))
  // must be at the root of the site
  const favicon = await readFile(join(clientDir, 'favicon.svg'))
  app.get('/favicon.svg', (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(favicon),
  )
}

function hostOf({ publicUrl }: Config): string | undefined {
  return publicUrl ? new URL(publicUrl).host : undefined
}

/** Stores language and theme in cookies, from a plain form, so that it works without JavaScript too. */
async function storePreference(request: FastifyRequest, reply: FastifyReply, config: Config) {
  const form = new URLSearchParams((await bodyOf(request)).toString())
  const { origin, host, 'sec-fetch-site': site } = request.headers
  // "null" comes from sandboxed pages, and from our own pages with `no-referrer`
  const isOurs = origin === 'null' && site === 'same-origin'
  const isForeign = origin !== undefined && !isOurs && ![host, hostOf(config)].includes(URL.parse(origin)?.host ?? '')
  const store = (name: string, value: string | null, allowed: readonly string[]) => {
    if (value === null || !allowed.includes(value) || isForeign) return
    const secure = config.publicUrl?.startsWith('https:') ? '; Secure' : ''
    reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure}`)
  }
  store('lang', form.get('lang'), locales)
  store('theme', form.get('theme'), themes)
  return reply.redirect(ownPath(form.get('next')) ?? '/', 303)
}
