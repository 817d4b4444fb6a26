import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  changesSomething,
  type Answer,
  type AnswerBody,
  type AnyEndpoint,
  type Call,
  type CheckedInput,
} from '../shared/endpoint.ts'
import {
  CallRefused,
  changedMeanwhile,
  methodNotAllowed,
  Refusal,
  unauthenticated,
  unsupportedMediaType,
} from '../shared/refusal.ts'
import { admit, bearerOf, challenge, type Gate, type Caller } from './access.ts'
import { withinAnswerTime } from './answer-time.ts'
import { checkInput, noBody } from './check-input.ts'
import { whileReading } from './database.ts'
import { inLineOf, fairTurns } from './fair-turns.ts'
import { Page } from './page.ts'
import { formLimitBytes, readForm } from './read-form.ts'
import { refusalAnswer, type Texts } from './refusal-answer.ts'
import { allowSharedCaching, sendAnswer, type FeedAnswer, type FileAnswer, type Redirect } from './send-answer.ts'
import { openStreams, StreamAnswer } from './streams.ts'

export type { Gate, Caller } from './access.ts'
export type { Texts } from './refusal-answer.ts'

/** The caller of a rule: everything that a rule gets beside its input. */
export interface RequestContext {
  /** Language of texts in the answer. */
  locale: string
  /** Address (in the form of `networkOf`) and user agent, for limits and unique counts; null while the server renders a page. */
  visitor: { address: string; userAgent: string } | null
  requestId: string
  /** null: not logged in. Never null where the contract's `access` names roles. */
  who: Caller | null
  /** Origin of links for the caller, also in mails. */
  origin: string
  /** The raw cookie header, to bind something to one browser. */
  cookie: string
  /** The caller has not just changed something, so data of a replica, some seconds old, will do. */
  mayLag: boolean
  /** The raw header `If-Match`, for `expectVersion`. */
  ifMatch?: string | undefined
  /** Set where the contract is `idempotent`; null: none was sent. */
  idempotencyKey: string | null
}

/** The caller, for endpoints whose contract names roles. */
export function knownCaller(asking: RequestContext): Caller {
  if (!asking.who) throw new Error('An endpoint without roles has no known asker')
  return asking.who
}

/**
 * Refuses a change that is based on another version of the thing than `current`, the instant of its last change. Call it after locking
 * the thing's row. A change without `If-Match` is always accepted.
 * @throws changed_meanwhile
 */
export function expectVersion({ ifMatch }: Pick<RequestContext, 'ifMatch'>, current: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return
  const isCurrent = (tag: string) => tag === current || Date.parse(tag) === Date.parse(current)
  if (![...ifMatch.matchAll(/"([^"]*)"/g)].some(([, tag = '']) => isCurrent(tag))) throw new Refusal(changedMeanwhile)
}

type Handled<E extends AnyEndpoint> =
  | AnswerBody<E>
  | (AnswerBody<E> extends (infer T)[] ? Page<T> : never)
  // an endpoint without a JSON answer may send a file, a feed, a stream or a redirect
  | (AnswerBody<E> extends null ? FileAnswer | FeedAnswer | StreamAnswer | Redirect : never)

/** An endpoint together with the rule that answers it. */
export interface Operation {
  endpoint: AnyEndpoint
  answer: (input: CheckedInput<AnyEndpoint>, asking: RequestContext) => Promise<unknown>
  /**
   * The rule's answers have exactly the fields of the contract, so `JSON.stringify` writes them, in a third of the time of the serialiser
   * that drops other fields.
   */
  exact?: boolean
  /** Gets every refusal of this operation, also of invalid input, which never reaches the rule; for counting tries. */
  refused?: (asking: RequestContext, refusal: Refusal) => Promise<void>
}

export function operation<E extends AnyEndpoint>(
  endpoint: E,
  answer: (input: CheckedInput<E>, asking: RequestContext) => Promise<Handled<E>>,
  more: Pick<Operation, 'refused' | 'exact'> = {},
): Operation {
  return { endpoint, answer: answer as Operation['answer'], ...more }
}

/**
 * Queue of costly requests. Of the six reading connections two are left to other requests. `patienceMs` leaves time for one search within
 * the time limit of an answer.
 */
const inTurn = fairTurns({ name: 'searches', slots: 4, perAddress: 300, most: 1000, patienceMs: 3000 })

/** Runs a rule: with reading connections where its contract only reads, and in turn where it is costly. */
function atWork<T>(
  endpoint: AnyEndpoint,
  { query }: CheckedInput<AnyEndpoint>,
  { mayLag, visitor }: RequestContext,
  rule: () => Promise<T>,
): Promise<T> {
  const work = () => (changesSomething(endpoint) ? rule() : whileReading(rule, { mayLag: mayLag && !endpoint.fresh }))
  return inLineOf(visitor?.address ?? '', () => (endpoint.costly?.(query) ? inTurn(work) : work()))
}

/** True for changes that their author must see at once. */
export const isSeenAtOnce = (endpoint: AnyEndpoint) => changesSomething(endpoint) && !endpoint.seenLater

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's contract; absent for other routes. */
    endpoint?: AnyEndpoint
    /** Contracts of the address's views. */
    views?: AnyEndpoint[]
  }
  interface FastifyRequest {
    /** The caller, set after `access` was checked; null for other routes. */
    who: Caller | null
    /** Duration of the check of `access`. */
    admittedInMs: number
  }
}

/** Registers each operation as an HTTP route. Errors go to the app's error handler. */
export function serveOperations(
  app: FastifyInstance,
  operations: Operation[],
  parts: {
    texts: Texts
    gate: Gate
    /** Everything about the caller except `who`. */
    askingOf: (request: FastifyRequest) => RequestContext
    streamsPerAddress: number
    /** How long shared caches may store answers of `shared` endpoints; 0: not at all. */
    publicCacheSeconds: number
    /** Cookie set after a change, so that its browser reads from the primary; null: there are no replicas. */
    changedCookie: string | null
  },
) {
  const streams = openStreams(app, parts.streamsPerAddress)
  app.decorateRequest('who', null)
  app.decorateRequest('admittedInMs', 0)
  for (const [operation, ...views] of ofEachAddress(operations)) {
    const { endpoint } = operation
    /** The view that the query names, else the main operation. */
    const asked = ({ query }: FastifyRequest) => views.find((view) => isNamed(view.endpoint, query)) ?? operation
    app.route({
      method: endpoint.method,
      url: urlOf(endpoint.path),
      config: { endpoint, views: views.map((view) => view.endpoint) },
      ...(endpoint.files ? { bodyLimit: formLimitBytes(endpoint.files) } : {}),
      ...(endpoint.webhook ? { bodyLimit: endpoint.webhook.maxBytes } : {}),
      // `checkInput` checks the contract, for HTTP and for calls in process
      validatorCompiler: () => () => true,
      // before the body is read, so that refused callers upload nothing
      onRequest: async (request, reply) => {
        if (endpoint.access === 'public') return
        const began = performance.now()
        const token = bearerOf(request)
        const setCaller = (who: Caller | null) => (request.who = who)
        await withinAnswerTime(() => whileReading(() => admit(endpoint.access, token, parts.gate, setCaller)))
        // tells the browser to renew its token and ask again
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
        // also before an answer of 503: the change may have been committed
        if (parts.changedCookie && isSeenAtOnce(endpoint)) reply.header('set-cookie', parts.changedCookie)
        try {
          const input = checkInput(endpoint, await rawInput(request, endpoint))
          const result = await withinAnswerTime(
            () => atWork(endpoint, input, asking, () => answer(input, asking)),
            request.admittedInMs,
            endpoint.answersWithinMs,
          )
          if (!(result instanceof StreamAnswer)) {
            allowSharedCaching(request, reply, endpoint, parts.publicCacheSeconds)
            return await sendAnswer(request, reply, endpoint, result, exact)
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
  refuseOtherMethods(app, operations)
}

const everyMethod: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Answers all other methods of an address with 405 and `Allow`. */
function refuseOtherMethods(app: FastifyInstance, operations: Operation[]) {
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

/** The path in the router's form: `/api/things/:thing_id`. */
function urlOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

const addressOf = ({ path }: AnyEndpoint) => path.split('?')[0]!

/**
 * Operations by address and method: the main operation, then its views. All share one access rule.
 * @throws Error for a contract that breaks these rules
 */
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

/** True where the query has the value that a view's path ends in. */
function isNamed({ path }: AnyEndpoint, query: unknown): boolean {
  const [, name = '', value] = /\?(\w+)=(\w+)$/.exec(path) ?? []
  return (query as Record<string, unknown>)[name] === value
}

/** Unchecked params, query and body, with the files of a form. */
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

/** Refuses a key that is too long to store: cut off, it could equal another key. */
function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return null
  if (key.length > 200) throw Object.assign(new Error('The Idempotency-Key is too long.'), { statusCode: 400 })
  return key
}

/** False for a query with broken escapes: Fastify reads their values as empty, and would answer another request. */
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

/**
 * The API in process, for rendering pages: the same check, rules and texts, without HTTP. `onWait` gets the `Retry-After` of refusals, in
 * seconds.
 */
export function callInProcess(
  operations: Operation[],
  texts: Texts,
  asking: RequestContext,
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
      // pages are rendered for everybody, so their calls have no token
      if (typeof endpoint.access === 'object') throw new Refusal(unauthenticated)
      const checked = checkInput(endpoint, (input ?? {}) as object)
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
