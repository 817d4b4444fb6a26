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
import { admit, bearerOf, challenge, type Gate, type Who } from './access.ts'
import { withinAnswerTime } from './answer-time.ts'
import { checkInput, noBody } from './check-input.ts'
import { whileReading } from './database.ts'
import { askedFrom, fairTurns } from './fair-turns.ts'
import { Page } from './page.ts'
import { formLimitBytes, readForm } from './read-form.ts'
import { refusalAnswer, type Texts } from './refusal-answer.ts'
import { keepOnTheWay, sendAnswer, type FeedAnswer, type FileAnswer, type Redirect } from './send-answer.ts'
import { keepStreams, StreamAnswer } from './streams.ts'

export type { Gate, Who } from './access.ts'
export type { Texts } from './refusal-answer.ts'

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
      // the contract is checked by `checkInput`, once for HTTP and for calls in process
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
          const input = checkInput(endpoint, await rawInput(request, endpoint))
          const result = await withinAnswerTime(
            () => atWork(endpoint, input, asking, () => answer(input, asking)),
            request.admittedInMs,
            endpoint.answersWithinMs,
          )
          if (!(result instanceof StreamAnswer)) {
            keepOnTheWay(request, reply, endpoint, parts.publicCacheSeconds)
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
