import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  changesSomething,
  type Answer,
  type AnswerBody,
  type AnyEndpoint,
  type Call,
  type CheckedInput,
  type RawBody,
  type ReceivedFile,
} from '../shared/endpoint.ts'
import {
  CallRefused,
  changedMeanwhile,
  invalidInput,
  methodNotAllowed,
  Refusal,
  unauthenticated,
  tooLarge,
  unsupportedMediaType,
  type Fault,
} from '../shared/refusal.ts'
import { admit, bearerOf, challenge, type Gate, type Who } from './access.ts'
import { withinAnswerTime } from './answer-time.ts'
import { isDatabaseUnavailable, whileReading } from './database.ts'
import { askedFrom, fairTurns } from './fair-turns.ts'
import { writerOf } from './answer-json.ts'
import { SealedOtherwise } from './keyring.ts'
import { Page } from './page.ts'
import { formLimitBytes, readForm } from './read-form.ts'
import { keepStreams, StreamAnswer } from './streams.ts'
import { FilesUnavailable } from './uploads.ts'

export type { Gate, Who } from './access.ts'

/** What a rule may know of the one who asks, beside the input. */
export interface Asking {
  /** Language of texts in the answer. */
  locale: string
  /**
   * Address (what counts as one: `networkOf`) and user agent of the visitor, for limits and unique counts; null when the
   * server itself renders a page.
   */
  visitor: { address: string; userAgent: string } | null
  requestId: string
  /** null: somebody unknown. Never null where the contract's `access` names roles. */
  who: Who | null
  /** Origin of links for the one who asks, also in mails. */
  origin: string
  /** The cookie header as it came; for what must be bound to one browser. */
  cookie: string
  /** Nobody who has just changed something: what is read may be some seconds old, as a replica has it. */
  mayLag: boolean
  /** The header `If-Match` as it came; for `expectVersion`. */
  ifMatch?: string | undefined
  /** Where the contract is `idempotent`; null: none was sent. */
  idempotencyKey: string | null
}

/** Who asks, where the contract lets nobody else in. */
export function knownWho(asking: Asking): Who {
  if (!asking.who) throw new Error('An endpoint without roles has no known asker')
  return asking.who
}

/**
 * Refuses a change that was meant for another version of the thing than `current`, its instant of the last change. To be
 * asked where the thing is locked. A change without `If-Match` is always accepted.
 * @throws changed_meanwhile
 */
export function expectVersion({ ifMatch }: Pick<Asking, 'ifMatch'>, current: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return
  const isCurrent = (tag: string) => tag === current || Date.parse(tag) === Date.parse(current)
  if (![...ifMatch.matchAll(/"([^"]*)"/g)].some(([, tag = '']) => isCurrent(tag))) throw new Refusal(changedMeanwhile)
}

/** The answer of an endpoint with `fileType`. */
export class FileAnswer {
  readonly bytes: Uint8Array
  readonly name: string
  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}

/** The answer of an endpoint with `feed`. */
export class FeedAnswer {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The answer of an endpoint with `redirects`. */
export class Redirect {
  readonly location: string
  readonly setCookie: string | null
  constructor(location: string, setCookie: string | null = null) {
    this.location = location
    this.setCookie = setCookie
  }
}

type Handled<E extends AnyEndpoint> =
  | AnswerBody<E>
  | (AnswerBody<E> extends (infer T)[] ? Page<T> : never)
  // an endpoint without a JSON answer may send a file, a feed or a stream, or the browser elsewhere
  | (AnswerBody<E> extends null ? FileAnswer | FeedAnswer | StreamAnswer | Redirect : never)

/** An endpoint together with the rule that answers it. */
export interface Operation {
  endpoint: AnyEndpoint
  answer: (input: CheckedInput<AnyEndpoint>, asking: Asking) => Promise<unknown>
  /**
   * The rule writes its answers field by field, so they leave as they are: a third of the time of the serialiser that
   * drops what the contract does not name.
   */
  exact?: boolean
  /** Told of every refusal of this operation, also of input that never reached the rule; for counting tries. */
  refused?: (asking: Asking, refusal: Refusal) => Promise<void>
}

export function operation<E extends AnyEndpoint>(
  endpoint: E,
  answer: (input: CheckedInput<E>, asking: Asking) => Promise<Handled<E>>,
  more: Pick<Operation, 'refused' | 'exact'> = {},
): Operation {
  return { endpoint, answer: answer as Operation['answer'], ...more }
}

/**
 * For what contracts call costly. Of the six connections for reading two are left to simple requests, which wait for no turn.
 * The patience leaves time for one search before everybody must have an answer.
 */
const inTurn = fairTurns({ name: 'searches', slots: 4, perAddress: 300, most: 1000, patienceMs: 3000 })

/** A rule at work: on the writing database where its contract says that it changes something, else on the reading one. */
function atWork<T>(
  endpoint: AnyEndpoint,
  { query }: CheckedInput<AnyEndpoint>,
  { mayLag, visitor }: Asking,
  rule: () => Promise<T>,
): Promise<T> {
  const work = () => (changesSomething(endpoint) ? rule() : whileReading(rule, { mayLag: mayLag && !endpoint.fresh }))
  return askedFrom(visitor?.address ?? '', () => (endpoint.costly?.(query) ? inTurn(work) : work()))
}

/** Whether its author must see what it changes at once. */
export const isSeenAtOnce = (endpoint: AnyEndpoint) => changesSomething(endpoint) && !endpoint.seenLater

/** Texts of refusals and fields, by language; made from the message catalogues by the app. */
export interface Texts {
  refusal(locale: string, code: string, values?: Record<string, string | number>): string
  /** What is wrong with a field, short, for a place beside it. */
  field(locale: string, fault: Fault): string
  /** The same for somebody who does not see the field: a whole sentence. `name` as in `fields`, e.g. `active_days.0`. */
  sentence(locale: string, name: string, fault: Fault): string
  /** Any other text, by its whole key. */
  say(locale: string, key: string, values?: Record<string, string | number>): string
}

/**
 * Checks params, query, body and files against the contract.
 * @throws invalid_input with each wrong field, too_large for a file beyond its limit
 */
function check<E extends AnyEndpoint>(
  endpoint: E,
  raw: {
    params?: unknown
    query?: unknown
    body?: unknown
    files?: Partial<Record<string, ReceivedFile>> | undefined
    raw?: RawBody
  },
): CheckedInput<E> {
  const checked: Record<string, unknown> = { files: raw.files ?? {}, raw: raw.raw ?? noBody }
  const fields: Record<string, Fault> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part] as z.ZodType | undefined
    if (!schema) continue
    const given = raw[part] === undefined ? {} : raw[part]
    const result = schema.safeParse(given)
    if (result.success) checked[part] = result.data
    else for (const issue of result.error.issues) fields[issue.path.join('.') || part] ??= faultOf(issue, given)
  }
  if (Object.keys(fields).length > 0) throw new Refusal(invalidInput, { fields })
  for (const [name, { maxBytes }] of Object.entries(endpoint.files ?? {}))
    if ((raw.files?.[name]?.bytes.length ?? 0) > maxBytes) throw new Refusal(tooLarge)
  return checked as CheckedInput<E>
}

const noBody: RawBody = { bytes: new Uint8Array(), signature: '' }

/** What zod found, as the catalogues say it. */
function faultOf(issue: z.core.$ZodIssue, input: unknown): Fault {
  if (issue.code === 'custom' && typeof issue.params?.['key'] === 'string') return issue.params as unknown as Fault
  if (issue.code === 'invalid_value') return { key: 'choice', values: { choices: issue.values.join(', ') } }
  const value = issue.path.reduce((of, name) => (of as Record<PropertyKey, unknown> | null | undefined)?.[name], input)
  if (issue.path.length > 0 && (value === undefined || value === null)) return { key: 'required' }
  if (issue.code === 'too_big') {
    const max = Number(issue.maximum)
    if (issue.origin === 'string') return { key: 'too_long', values: { min: 0, max } }
    return { key: issue.origin === 'array' ? 'too_many' : 'at_most', values: { max } }
  }
  if (issue.code === 'too_small') {
    const min = Number(issue.minimum)
    if (issue.origin === 'string') return { key: 'too_short', values: { min } }
    return { key: issue.origin === 'array' ? 'too_few' : 'at_least', values: { min } }
  }
  if (issue.code === 'invalid_format') return { key: ofFormat[issue.format] ?? 'invalid' }
  if (issue.code === 'invalid_type')
    return { key: (issue.path.length === 0 && 'json_object') || ofType[issue.expected] || 'invalid' }
  if (issue.code === 'invalid_union') {
    const expected = issue.errors.flat().flatMap((each) => (each.code === 'invalid_type' ? each.expected : []))
    return { key: expected.map((type) => ofType[type]).find((key) => key && key !== 'text') ?? 'invalid' }
  }
  return { key: 'invalid' }
}

const ofType: Record<string, string> = {
  string: 'text',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
}
const ofFormat: Record<string, string> = { uuid: 'id', date: 'day', datetime: 'instant' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's contract says; absent where there is none. */
    endpoint?: AnyEndpoint
    /** Other contracts of the address, for a value of the query each. */
    views?: AnyEndpoint[]
  }
  interface FastifyRequest {
    /** Set for operations only: who asks, after `access` was checked. */
    who: Who | null
    /** How long that took. */
    admittedInMs: number
  }
}

/** Registers each operation as an HTTP route. Errors go to the app's one error handler. */
export function serveOperations(
  app: FastifyInstance,
  operations: Operation[],
  parts: {
    texts: Texts
    gate: Gate
    /** What a request tells of the one who asks, but for who it is. */
    askingOf: (request: FastifyRequest) => Asking
    streamsPerAddress: number
    /** For so long caches on the way may keep what is the same for everybody; 0: they ask each time. */
    publicCacheSeconds: number
    /** Set after a change, so that its browser reads from the primary; null: all do. */
    changedCookie: string | null
  },
) {
  const streams = keepStreams(app, parts.streamsPerAddress)
  app.decorateRequest('who', null)
  app.decorateRequest('admittedInMs', 0)
  for (const [operation, ...views] of ofEachAddress(operations)) {
    const { endpoint } = operation
    /** The view that the query names, else what the address answers without one. */
    const asked = ({ query }: FastifyRequest) => views.find((view) => isNamed(view.endpoint, query)) ?? operation
    app.route({
      method: endpoint.method,
      url: urlOf(endpoint.path),
      config: { endpoint, views: views.map((view) => view.endpoint) },
      ...(endpoint.files ? { bodyLimit: formLimitBytes(endpoint.files) } : {}),
      ...(endpoint.webhook ? { bodyLimit: endpoint.webhook.maxBytes } : {}),
      // the contract is checked by `check`, once for HTTP and for calls in process
      validatorCompiler: () => () => true,
      // before the body is read: nobody uploads into an endpoint that is closed to them
      onRequest: async (request, reply) => {
        if (endpoint.access === 'public') return
        const began = performance.now()
        const token = bearerOf(request)
        const tell = (who: Who | null) => (request.who = who)
        await withinAnswerTime(() => whileReading(() => admit(endpoint.access, token, parts.gate, tell)))
        // a browser renews its token then, and asks again as its owner
        if (endpoint.method === 'GET' && token !== null && !request.who)
          reply.header('www-authenticate', challenge(token))
        request.admittedInMs = performance.now() - began
      },
      handler: async (request, reply) => {
        const { endpoint, answer, refused, exact = false } = asked(request)
        const asking = {
          ...parts.askingOf(request),
          who: request.who,
          idempotencyKey: endpoint.idempotent ? idempotencyKeyOf(request) : null,
        }
        // also where the answer is 503: the change may be there all the same
        if (parts.changedCookie && isSeenAtOnce(endpoint)) reply.header('set-cookie', parts.changedCookie)
        try {
          const input = check(endpoint, await rawInput(request, endpoint))
          const result = await withinAnswerTime(
            () => atWork(endpoint, input, asking, () => answer(input, asking)),
            request.admittedInMs,
            endpoint.answersWithinMs,
          )
          if (!(result instanceof StreamAnswer)) {
            keepOnTheWay(request, reply, endpoint, parts.publicCacheSeconds)
            return await send(request, reply, endpoint, result, exact)
          }
          const again = async () => {
            if (!(await whileReading(() => admit(endpoint.access, bearerOf(request), parts.gate))))
              throw new Refusal(unauthenticated)
          }
          return streams.serve(request, reply, result, request.who && again)
        } catch (error) {
          if (refused && error instanceof Refusal) await refused(asking, error)
          throw error
        }
      },
    })
  }
  nameMethods(app, operations)
}

const everyMethod: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** An address that is there says so, whatever is asked of it: 405, and `Allow` with what it takes. */
function nameMethods(app: FastifyInstance, operations: Operation[]) {
  for (const [path, ofPath] of Map.groupBy(operations, ({ endpoint }) => addressOf(endpoint))) {
    const methods = [...new Set(ofPath.map(({ endpoint }) => endpoint.method))]
    const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const allow = [...taken, 'OPTIONS'].join(', ')
    app.route({
      method: everyMethod.filter((each) => !taken.includes(each)),
      url: urlOf(path),
      exposeHeadRoute: false,
      schema: { hide: true } as object,
      handler: async (request, reply) => {
        reply.header('allow', allow).header('cache-control', 'no-store')
        if (request.method === 'OPTIONS') return reply.status(204).send()
        throw new Refusal(methodNotAllowed)
      },
    })
  }
}

/** `/api/things/{thing_id}` as the router writes it. */
function urlOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

const addressOf = ({ path }: AnyEndpoint) => path.split('?')[0]!

/** Operations by address and method: what it answers first, then its views, which let in whom it lets in. */
function ofEachAddress(operations: Operation[]): [Operation, ...Operation[]][] {
  const groups = Map.groupBy(operations, ({ endpoint }) => `${endpoint.method} ${addressOf(endpoint)}`)
  return [...groups].map(([address, group]) => {
    const isView = ({ endpoint: { path } }: Operation) => path.includes('?')
    const views = group.filter(isView)
    const [operation, ...others] = group.filter((each) => !isView(each))
    if (!operation || others.length > 0)
      throw new Error(`${address} is answered by ${group.length - views.length} operations`)
    if (views.some(({ endpoint }) => endpoint.access !== operation.endpoint.access))
      throw new Error(`${address} lets in others than its views`)
    return [operation, ...views]
  })
}

/** Whether the query has the value that the path of a view ends in. */
function isNamed({ path }: AnyEndpoint, query: unknown): boolean {
  const [, name = '', value] = /\?(\w+)=(\w+)$/.exec(path) ?? []
  return (query as Record<string, unknown>)[name] === value
}

/** Params, query and body as they came; a form where the contract takes files. */
async function rawInput(request: FastifyRequest, endpoint: AnyEndpoint) {
  const { params, query, body } = request
  if (endpoint.webhook) {
    const signature = request.headers[endpoint.webhook.signature]
    const bytes = Buffer.isBuffer(body) ? body : noBody.bytes
    return { params, query, raw: { bytes, signature: typeof signature === 'string' ? signature : '' } }
  }
  if (!isReadable(request.url))
    throw Object.assign(new Error('The query holds escapes of no text.'), { statusCode: 400, code: 'FST_ERR_BAD_URL' })
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false
  if (!isForm || !endpoint.body) return { params, query, body }
  if (!endpoint.files) throw new Refusal(unsupportedMediaType)
  return { params, query, ...(await readForm(request, endpoint.files)) }
}

/** A key that is too long to be kept is refused rather than cut off. */
function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return null
  if (key.length > 200) throw Object.assign(new Error('The Idempotency-Key is too long.'), { statusCode: 400 })
  return key
}

/** Fastify takes what it cannot decode for empty, and would so answer another question than was asked. */
function isReadable(url: string): boolean {
  const from = url.indexOf('?')
  if (from < 0 || !url.includes('%', from)) return true
  try {
    decodeURIComponent(url.slice(from))
    return true
  } catch {
    return false
  }
}

/** Browsers go on asking each time; a CDN answers a crowd of them. A token, where it counts, makes it another answer. */
function keepOnTheWay(request: FastifyRequest, reply: FastifyReply, endpoint: AnyEndpoint, seconds: number) {
  if (!endpoint.shared || seconds === 0) return
  if (endpoint.access !== 'public') {
    reply.header('vary', 'Authorization')
    if (request.headers.authorization) return
  }
  // what is left to one address is not for others to read
  reply.removeHeader('ratelimit')
  reply.header('cache-control', `public, max-age=0, must-revalidate, s-maxage=${seconds}`)
}

function send(request: FastifyRequest, reply: FastifyReply, endpoint: AnyEndpoint, result: unknown, exact: boolean) {
  if (result instanceof Redirect) {
    if (result.setCookie) reply.header('set-cookie', result.setCookie)
    return reply.header('cache-control', 'no-store').redirect(result.location, endpoint.status ?? 303)
  }
  if (result instanceof FileAnswer)
    return reply
      .type(endpoint.fileType ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename="${result.name.replace(/[^\w.-]/g, '_')}"`)
      .header('cache-control', 'no-store')
      .send(Buffer.from(result.bytes))
  if (result instanceof FeedAnswer) return sendFeed(request, reply, endpoint, result)
  // what was answered to somebody is kept nowhere
  if (!reply.hasHeader('cache-control'))
    reply.header('cache-control', endpoint.method === 'GET' && !request.who ? 'no-cache' : 'no-store')
  reply.status(endpoint.status ?? 200)
  const version = endpoint.version && (result as Record<string, unknown>)[endpoint.version]
  // what is kept on the way changes without a new version too, as by a count, and must not be told to be unchanged
  const isKept = String(reply.getHeader('cache-control')).startsWith('public')
  if (typeof version === 'string' && !isKept) reply.header('etag', `"${version}"`)
  if (endpoint.answer === null) return reply.send()
  reply.type('application/json; charset=utf-8').serializer(exact ? JSON.stringify : writerOf(endpoint))
  if (!(result instanceof Page)) return reply.send(result)
  reply.header('x-total-count', result.total.count)
  if (result.total.capped) reply.header('x-total-capped', 'true')
  if (result.guessed) reply.header('x-search-guessed', 'true')
  const links = [
    ...(result.next === null ? [] : [`<${pageAt(request.url, 'after', result.next)}>; rel="next"`]),
    ...(result.prev === null ? [] : [`<${pageAt(request.url, 'before', result.prev)}>; rel="prev"`]),
  ]
  if (links.length > 0) reply.header('link', links.join(', '))
  return reply.send(exact ? result.json : result.items)
}

/** A feed that has not changed is not sent again. */
function sendFeed(request: FastifyRequest, reply: FastifyReply, endpoint: AnyEndpoint, { text }: FeedAnswer) {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply
    .header('etag', tag)
    .header('cache-control', request.who || endpoint.feed === 'secret' ? 'private, no-cache' : 'public, max-age=60')
  const known = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (known?.includes(tag) || known?.includes('*')) return reply.status(304).send()
  return reply.type(`${endpoint.fileType}; charset=utf-8`).send(text)
}

/** The same address, on the page after or before the cursor. */
function pageAt(url: string, side: 'after' | 'before', cursor: string): string {
  // a question mark in the query is a letter of it
  const [path, ...search] = url.split('?')
  const asked = new URLSearchParams(search.join('?'))
  for (const start of ['offset', 'from', 'after', 'before']) asked.delete(start)
  asked.set(side, cursor)
  return `${path}?${asked.toString()}`
}

/** What any thrown thing becomes for the one who asked: status, headers and the body `{ error, code, fields? }`. */
export function refusalAnswer(error: unknown, texts: Texts, locale: string) {
  if (error instanceof Refusal) {
    const { kind, fields, retryAfterS } = error
    return {
      status: kind.status as number,
      retryAfterS: retryAfterS ?? (kind.status === 503 ? 2 : undefined),
      body: {
        error: errorOf(error, texts, locale),
        code: kind.code as string,
        ...(fields ? { fields: textsOf(fields, texts, locale) } : {}),
      },
      expected: true,
    }
  }
  if (isDatabaseUnavailable(error) || error instanceof FilesUnavailable || error instanceof SealedOtherwise) {
    const body = { error: texts.refusal(locale, 'unavailable'), code: 'unavailable' }
    return { status: 503, retryAfterS: 2, body, expected: false }
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) {
    // Fastify's own 4xx errors: malformed JSON, a body too large, an unknown media type …
    const code = frameworkCodes[status] ?? 'bad_request'
    const text = unreadable[(error as { code?: string }).code ?? ''] ?? code
    return { status, retryAfterS: undefined, body: { error: texts.refusal(locale, text), code }, expected: true }
  }
  const body = { error: texts.refusal(locale, 'internal_error'), code: 'internal_error' }
  return { status: 500, retryAfterS: undefined, body, expected: false }
}

/** Of input that fits no contract: the first wrong field. All other refusals have a text of their own. */
function errorOf({ kind, fields = {}, values }: Refusal, texts: Texts, locale: string): string {
  const [first] = Object.entries(fields)
  return first && kind.code === invalidInput.code
    ? texts.sentence(locale, ...first)
    : texts.refusal(locale, kind.code, values)
}

const textsOf = (fields: Record<string, Fault>, texts: Texts, locale: string) =>
  Object.fromEntries(Object.entries(fields).map(([name, fault]) => [name, texts.field(locale, fault)]))

/** Fastify's code of what it cannot read -> the text under `refusals`. */
const unreadable: Record<string, string> = {
  FST_ERR_BAD_URL: 'address_unreadable',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'json_missing',
  FST_ERR_CTP_INVALID_JSON_BODY: 'json_unreadable',
}

const frameworkCodes: Record<number, string> = {
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'too_large',
}

/**
 * The API in process, for rendering pages: same check, same rule, same texts, no HTTP. `onWait` is told what a refusal
 * would send as `Retry-After`.
 */
export function callInProcess(
  operations: Operation[],
  texts: Texts,
  asking: Asking,
  {
    onError,
    onWait,
    onChange,
  }: { onError: (error: unknown) => void; onWait: (seconds: number) => void; onChange: () => void },
): Call {
  let mayLag = asking.mayLag
  return async (name, input) => {
    const found = byName(operations).get(name)
    if (!found) throw new Error(`No operation "${name}"`)
    const { endpoint } = found
    try {
      // a page is rendered for everybody, so it asks as somebody unknown
      if (typeof endpoint.access === 'object') throw new Refusal(unauthenticated)
      const checked = check(endpoint, (input ?? {}) as object)
      if (isSeenAtOnce(endpoint)) {
        mayLag = false
        onChange()
      }
      const result = await atWork(endpoint, checked, { ...asking, mayLag }, () => found.answer(checked, asking))
      const page = result instanceof Page ? result : null
      const body = endpoint.answer ? (endpoint.answer as z.ZodType).parse(page ? page.items : result) : null
      return {
        body,
        total: page?.total.count ?? null,
        totalCapped: page?.total.capped ?? false,
        guessed: page?.guessed ?? false,
        next: page?.next ?? null,
        prev: page?.prev ?? null,
      } as Answer<never>
    } catch (error) {
      const { status, body, retryAfterS, expected } = refusalAnswer(error, texts, asking.locale)
      if (!expected) onError(error)
      if (retryAfterS !== undefined) onWait(retryAfterS)
      throw new CallRefused({ status, ...body })
    }
  }
}

const names = new WeakMap<Operation[], Map<string, Operation>>()
function byName(operations: Operation[]) {
  let map = names.get(operations)
  if (!map) {
    map = new Map(operations.map((each) => [`${each.endpoint.method} ${each.endpoint.path}`, each]))
    names.set(operations, map)
  }
  return map
}
