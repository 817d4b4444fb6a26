import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withinAnswerTime } from '../../kit/server/answer-time.ts'
import { formLimitBytes } from '../../kit/server/read-form.ts'
import type { OpenRooms } from '../../kit/server/room.ts'
import { callInProcess, type Asking, type Operation } from '../../kit/server/serve-endpoint.ts'
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

/** What the built screens offer the server: the only door into their bundle. */
export interface ScreensBundle {
  handle(request: Request, asked: AskedPage): Promise<Document | Unchanged>
}

export interface AskedPage {
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
  /** Answers for files while developing; then pages come without CSP and Trusted Types, which Vite's client cannot keep. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

/** Serves screens, their files, and the two choices (language, theme) that a page without JavaScript can make. */
export async function servePages(
  app: FastifyInstance,
  pages: Pages,
  parts: {
    config: Config
    operations: Operation[]
    open: Pick<OpenRooms, 'pageFiles'>
    askingOf: (request: FastifyRequest) => Asking
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
  const documentFor = documentCache()
  await app.register(async (scope) => {
    // pages read the raw body themselves
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post('/preferences', (request, reply) => keepPreference(request, reply, parts.config))
    scope.route({
      method: ['GET', 'POST'],
      url: '/*',
      exposeHeadRoute: true,
      handler: async (request, reply) => {
        const { config } = parts
        const origin = originOf(request, config)
        const url = safeUrl(request.raw.url ?? '/', origin)
        if (!url) return reply.redirect('/', 303)
        // a form sent from another site is refused by the router with an exception; it is no fault of ours
        const level = foreignForm(request, url) ? 'info' : 'error'
        const onError = (error: unknown) => request.log[level]({ err: withoutContent(error) }, 'a page failed')
        const locale = chosenLocale(request.headers)
        const theme = chosenTheme(request.headers)
        // what has happened to one visitor is no page of another's
        const asking = parts.askingOf(request)
        // who has changed something sees pages made of the primary's answers
        const own = parts.changedCookie && !asking.mayLag ? 'own ' : ''
        const result = hasJustHappened(request.headers.cookie ?? '', url.pathname + url.search) ? 'happened ' : ''
        // however long it takes to arrive: the time of an answer begins after it
        const body = request.method === 'POST' ? await bodyOf(request, pageFiles[url.pathname]) : null
        const render = (nonce: string, known: string | null) => withinAnswerTime(() => rendered(nonce, known))
        const rendered = async (nonce: string, known: string | null) => {
          let waitS: number | null = null
          const onChange = () => parts.changedCookie && reply.header('set-cookie', parts.changedCookie)
          const onWait = (seconds: number) => (waitS = Math.max(seconds, waitS ?? 0))
          const call = callInProcess(parts.operations, texts, asking, { onError, onWait, onChange })
          const festival = { ...config.festival, days: await parts.festivalDays() }
          const asked: AskedPage = { call, onError, nonce, known, locale, theme, origin, festival }
          const document = await pages.screens.handle(webRequest(request, url, body), asked)
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

/** Temporary errors are not cached, and say when to come again. */
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
 * Pages of mailed links say `no-referrer`, with which a browser sends their own forms with the origin "null". What they do
 * takes the token that the form holds, so no other site can have it done.
 */
function isUnnamed(origin: unknown, url: URL): boolean {
  return origin === 'null' && mailedLinkPages.includes(url.pathname)
}

const bodyLimit = 64 * 1024

/** A page that takes files has the limit of the endpoint that it hands them to. */
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
      // a header that the web's Request cannot hold is of no use to a screen
    }
  }
  return new Request(url, { method: request.method, headers, body })
}

/**
 * The page asked for, always one of ours: no slashes or backslashes, however they come about, make a host of a path. null
 * when the address cannot be read (bad escapes, foreign forms of a path).
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
 * PUBLIC_URL, or without it the host asked for where that is loopback or private, so that 127.0.0.1 never jumps to
 * localhost; a foreign Host header never gets into a link.
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
 * The origin of links that leave by mail. Without PUBLIC_URL, mail that is really sent names this machine alone: a private
 * host that somebody wrote into the request would get the reader's token.
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
  // the few files that must lie at the root, each by its name
  const favicon = await readFile(join(clientDir, 'favicon.svg'))
  app.get('/favicon.svg', (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(favicon),
  )
}

function hostOf({ publicUrl }: Config): string | undefined {
  return publicUrl ? new URL(publicUrl).host : undefined
}

/** Language and theme are kept in cookies by a plain form of ours, so the choice works without JavaScript too. */
async function keepPreference(request: FastifyRequest, reply: FastifyReply, config: Config) {
  const form = new URLSearchParams((await bodyOf(request)).toString())
  const { origin, host, 'sec-fetch-site': site } = request.headers
  // "null" is what a page without an origin of its own says, and one of ours that tells no address to anybody
  const isOurs = origin === 'null' && site === 'same-origin'
  const isForeign = origin !== undefined && !isOurs && ![host, hostOf(config)].includes(URL.parse(origin)?.host ?? '')
  const keep = (name: string, value: string | null, allowed: readonly string[]) => {
    if (value === null || !allowed.includes(value) || isForeign) return
    const secure = config.publicUrl?.startsWith('https:') ? '; Secure' : ''
    reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure}`)
  }
  keep('lang', form.get('lang'), locales)
  keep('theme', form.get('theme'), themes)
  return reply.redirect(ownPath(form.get('next')) ?? '/', 303)
}
