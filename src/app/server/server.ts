import { randomUUID } from 'node:crypto'
import { brotliCompressSync, constants, createBrotliCompress } from 'node:zlib'
import {
  fastify,
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import swagger from '@fastify/swagger'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { accounts } from '../../accounts/room.ts'
import { createGate, securityOf, securitySchemes } from '../../accounts/server/accounts.ts'
import { deals } from '../../deals/room.ts'
import { events } from '../../events/room.ts'
import { bearerOf, challenge } from '../../kit/server/access.ts'
import { limitPerAddress } from '../../kit/server/address-budget.ts'
import { whileReading } from '../../kit/server/database.ts'
import { changedCookie, hasJustChanged } from '../../kit/server/own-changes.ts'
import type { LineLog } from '../../kit/server/line-log.ts'
import { isMigrated } from '../../kit/server/migrate.ts'
import { networkOf } from '../../kit/server/network.ts'
import type { House, OpenRooms } from '../../kit/server/room.ts'
import { documented, namedSchemas } from '../../kit/server/openapi.ts'
import { refusalAnswer } from '../../kit/server/refusal-answer.ts'
import { serveOperations, type RequestContext, type Operation } from '../../kit/server/serve-endpoint.ts'
import { serveUploads } from '../../kit/server/uploads.ts'
import { uploadRules } from './upload-rules.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import type { Config } from '../config.ts'
import { answerClientError, guardConnections } from '../connections.ts'
import { chosenLocale } from './languages.ts'
import { loggerOptions, withoutContent } from './logging.ts'
import { linkOriginOf, servePages, type Pages } from './pages.ts'
import { demoMailboxOf, serveDemoMailbox } from './demo-mailbox.ts'
import { servePageQr } from './page-qr.ts'
import { servePosters } from './posters.ts'
import { protect } from './protection.ts'
import { askBanner } from './banner.ts'
import { askDays } from './festival-days.ts'
import { serveSharingPictures } from './sharing-pictures.ts'
import { serveSitemap } from './sitemap.ts'
import { letArrive } from './stopping.ts'
import { texts } from './texts.ts'

export interface Parts {
  config: Config
  house: House
  open: OpenRooms
  /** Takes the lines of the log. */
  logTo: LineLog
  /** The built screens; null: API only. */
  pages: Pages | null
}

/**
 * Answers up to this size are compressed in one synchronous step with quality 4: half the CPU of a stream with quality 6 for 6 %
 * more bytes, in the same round trip. Larger ones would block other requests and gain more from better compression.
 */
const smallBytes = 64 * 1024
const compressSmall = (body: Buffer) =>
  brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  })

/** Builds the HTTP server: API, pages and static files. It holds no state that another instance on the same database would need. */
export async function buildServer(parts: Parts): Promise<FastifyInstance> {
  const { config, house, open } = parts
  const app = fastify({
    logger: { ...loggerOptions(config), stream: parts.logTo },
    genReqId: () => randomUUID(),
    // our own proxies append the last entries of X-Forwarded-For; anybody can have written the ones before
    trustProxy: (_address, hop) => hop < config.trustProxy,
    bodyLimit: 256 * 1024,
    // slow clients are cut off within 30 s; needs all three limits, since Node looks for slow bodies only every 30 s by default
    requestTimeout: 15_000,
    http: {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
    },
    keepAliveTimeout: 20_000,
    forceCloseConnections: 'idle',
    // requests that arrive during a stop are answered, then their connection is closed
    return503OnClosing: false,
    // closes the connection of a client that reads nothing for this long
    connectionTimeout: 30_000,
    rewriteUrl: (request) => readableAddress(request.url ?? '/'),
    routerOptions: { maxParamLength: 3000, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      const { status, body } = refusalAnswer(error, texts, 'en')
      void (reply as FastifyReply).status(status).header('x-request-id', request.id).send(body)
    },
    clientErrorHandler: answerClientError,
  })

  app.addHook('preClose', () => letArrive(app.server))

  await protect(app, config)
  guardConnections(app)
  await app.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // 10 % more CPU than quality 5 and 1 % smaller, which can save a list a round trip
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } },
    syncThreshold: smallBytes,
    zlib: { createBrotliCompress, brotliCompressSync: compressSmall },
  })

  app.setErrorHandler(async (error, request, reply) => {
    const { status, body, retryAfterS, expected } = refusalAnswer(error, texts, chosenLocale(request.headers))
    // the client has closed the connection: not an error of ours
    const level = request.raw.readableAborted || request.raw.socket.destroyed ? 'info' : 'error'
    if (!expected) request.log[level]({ err: withoutContent(error) }, 'request failed')
    if (error instanceof Refusal && [401, 403, 429].includes(error.kind.status))
      house.log.note({
        event: 'refused',
        actor: request.who?.accountId ?? null,
        requestId: request.id,
        details: { status: error.kind.status, code: error.kind.code, operation: operationOf(request) },
      })
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
    if (status === 401) reply.header('www-authenticate', challenge(bearerOf(request)))
    reply.header('cache-control', 'no-store')
    return reply.status(status).send(status >= 500 ? { ...body, request_id: request.id } : body)
  })

  app.setNotFoundHandler(async (request, reply) => {
    const { status, body } = refusalAnswer({ statusCode: 404 }, texts, chosenLocale(request.headers))
    return reply.status(status).header('cache-control', 'no-store').send(body)
  })

  const hasReplicas = config.databaseReadUrls.length > 0
  const changed = hasReplicas ? changedCookie(config.publicUrl?.startsWith('https:') ?? false) : null
  const askingOf = (request: FastifyRequest): RequestContext => ({
    locale: chosenLocale(request.headers),
    visitor: { address: networkOf(request.ip), userAgent: String(request.headers['user-agent'] ?? '') },
    requestId: request.id,
    who: null,
    origin: linkOriginOf(request, config),
    cookie: request.headers.cookie ?? '',
    mayLag: hasReplicas && !request.headers.authorization && !hasJustChanged(request.headers.cookie ?? ''),
    ifMatch: request.headers['if-match'],
    idempotencyKey: null,
  })
  const operations = open.operations()
  await app.register(async (api) => {
    await api.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: `${config.festival.name} API`,
          version: '1',
          description: 'Deals, events and forum of a city music festival.',
        },
        components: { securitySchemes },
      },
      transform: ({ route, schema, url }) => {
        const { endpoint, views } = (route as { config?: FastifyContextConfig }).config ?? {}
        if (!endpoint) return { schema, url }
        return { schema: { ...documented(endpoint, views), security: securityOf(endpoint.access) }, url }
      },
      transformObject: (document) => {
        if (!('openapiObject' in document)) return {}
        const schemas = namedSchemas(operations.map(({ endpoint }) => endpoint))
        return { ...document.openapiObject, components: { securitySchemes, schemas } }
      },
    })
    limitPerAddress(api, config.requestsPerSecond)
    ignoreBodiesWhereNoneBelong(api)
    readJsonExactly(api)
    await api.register(multipart)
    serveOperations(api, operations, {
      texts,
      gate: createGate(house.of(accounts)),
      askingOf,
      streamsPerAddress: config.streamsPerAddress,
      publicCacheSeconds: config.publicCacheSeconds,
      changedCookie: changed,
    })
    api.get('/api/openapi.json', { schema: { hide: true } }, async () => api.swagger())
    for (const url of ['/api', '/api/*']) {
      api.all(url, { schema: { hide: true } }, async (_request, reply) => reply.callNotFound())
    }
    app.decorate('operations', operations)
  })

  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'live' }))
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const ready = await whileReading(() => isMigrated(house.db)).catch(() => false)
    if (!ready) reply.header('retry-after', 2)
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready' })
  })
  servePosters(app)
  servePageQr(app, config)
  open.serve(app)
  serveUploads(app, house.files, uploadRules(house))
  if (demoMailboxOf(config)) serveDemoMailbox(app, config, house.keyring)
  const festivalDays = askDays(config, house.clock, () => house.answersTo('festivalDays'))
  serveSharingPictures(app, house.of(deals), house.of(events), config.festival, festivalDays)
  serveSitemap(app, { config, open })
  if (parts.pages)
    await servePages(app, parts.pages, {
      config,
      operations: app.operations,
      open,
      askingOf,
      festivalDays,
      bannerIn: askBanner(house.answersTo),
      changedCookie: changed,
    })
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    operations: Operation[]
  }
  interface FastifyRequest {
    /** CSP nonce of this answer, made when first asked for. */
    readonly nonce: string
  }
  interface FastifyContextConfig {
    /** The contract names no body, so whatever was sent is ignored. */
    ignoresBody?: boolean
  }
}

function operationOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? 'unknown'}`
}

/** Makes endpoints without a body ignore whatever body and content type were sent. */
function ignoreBodiesWhereNoneBelong(api: FastifyInstance) {
  api.addHook('onRoute', (route) => {
    const { endpoint } = route.config ?? {}
    if (!(endpoint?.body ?? endpoint?.webhook ?? route.schema?.body))
      route.config = { ...route.config, ignoresBody: true }
  })
  api.addHook('preParsing', async (request, _reply, payload) => {
    if (request.routeOptions.config.ignoresBody) {
      delete request.headers['content-type']
      delete request.headers['content-length']
      delete request.headers['transfer-encoding']
      payload.resume()
    }
    return payload
  })
}

/** Refuses JSON that is not valid UTF-8: read leniently, the text would be stored changed. */
function readJsonExactly(api: FastifyInstance) {
  const parse = api.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // nothing here takes plain text
  api.removeContentTypeParser(['application/json', 'text/plain'])
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // webhooks sign the bytes, so their rules need them unread
    if (request.routeOptions.config.endpoint?.webhook) return done(null, body)
    try {
      const text = decoder.decode(body as Buffer)
      void parse(request, text, done)
    } catch {
      done(Object.assign(new Error('The body is no UTF-8'), { statusCode: 400 }))
    }
  })
}

/**
 * The address, with `%` escaped where a page's path has invalid escapes (`/100%`, `/%ff`) or line breaks, which no route accepts:
 * people then get the 404 page. The API refuses such an address with 400.
 */
export function readableAddress(target: string): string {
  const end = target.search(/[?#]/)
  const path = end < 0 ? target : target.slice(0, end)
  if (!path.includes('%') || path.startsWith('/api/')) return target
  return isOneLine(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length)
}

function isOneLine(path: string): boolean {
  try {
    return !/[\n\r\u2028\u2029]/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
