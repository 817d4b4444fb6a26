import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Answer, AnswerBody, AnyEndpoint, Call, CheckedInput } from '../shared/endpoint.ts'
import { CallRefused, invalidInput, Refusal } from '../shared/refusal.ts'
import { isDatabaseUnavailable } from './database.ts'
import { jsonSchema } from './json-schema.ts'

/** What a rule may know of the one who asks, beside the input. */
export interface Asking {
  /** Language of texts in the answer. */
  locale: string
  /** Address and user agent of the visitor, for limits and unique counts; null when the server itself renders a page. */
  visitor: { address: string; userAgent: string } | null
  requestId: string
}

/** One page of a list. */
export class Page<T> {
  readonly items: T[]
  readonly total: number
  readonly capped: boolean
  /** Cursor for the page after this one; null on the last. */
  readonly next: string | null
  /** Which of the contract's `otherAnswers` the items are; undefined: the answer itself. */
  readonly as: string | undefined
  constructor(items: T[], total: { count: number; capped: boolean }, next: string | null, as?: string) {
    this.items = items
    this.total = total.count
    this.capped = total.capped
    this.next = next
    this.as = as
  }
}

type Handled<E extends AnyEndpoint> =
  AnswerBody<E> | (AnswerBody<E> extends (infer T)[] ? Page<T> | Page<unknown> : never)

/** An endpoint together with the rule that answers it. */
export interface Operation {
  endpoint: AnyEndpoint
  answer: (input: never, asking: Asking) => Promise<unknown>
}

export function operation<E extends AnyEndpoint>(
  endpoint: E,
  answer: (input: CheckedInput<E>, asking: Asking) => Promise<Handled<E>>,
): Operation {
  return { endpoint, answer: answer as Operation['answer'] }
}

/** Texts of refusals and fields, by language; made from the message catalogues by the app. */
export interface Texts {
  refusal(locale: string, code: string, values?: Record<string, string | number>): string
  field(locale: string, key: string, values?: Record<string, string | number>): string
}

/** Checks params, query and body against the contract. Throws `invalid_input` with a text for each field. */
function check<E extends AnyEndpoint>(
  endpoint: E,
  raw: { params?: unknown; query?: unknown; body?: unknown },
  texts: Texts,
  locale: string,
): CheckedInput<E> {
  const checked: Record<string, unknown> = {}
  const fields: Record<string, string> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part] as z.ZodType | undefined
    if (!schema) continue
    const result = schema.safeParse(raw[part] ?? {})
    if (result.success) checked[part] = result.data
    else
      for (const issue of result.error.issues)
        fields[issue.path.join('.') || part] ??= fieldText(issue, raw[part], texts, locale)
  }
  if (Object.keys(fields).length > 0) throw new Refusal(invalidInput, { fields })
  return checked as CheckedInput<E>
}

function fieldText(issue: z.core.$ZodIssue, input: unknown, texts: Texts, locale: string): string {
  if (issue.code === 'custom' && typeof issue.params?.['key'] === 'string')
    return texts.field(locale, issue.params['key'], issue.params['values'] as Record<string, string | number>)
  if (issue.code === 'invalid_value') return texts.field(locale, 'choice', { choices: issue.values.join(', ') })
  const missing =
    issue.path.reduce((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input) ===
    undefined
  if (issue.code === 'invalid_type' && missing) return texts.field(locale, 'required')
  return texts.field(locale, 'invalid')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's contract says; absent where there is none. */
    endpoint?: AnyEndpoint
  }
}

/** Registers each operation as an HTTP route. Errors go to the app's one error handler. */
export function serveOperations(
  app: FastifyInstance,
  operations: Operation[],
  texts: Texts,
  askingOf: (request: FastifyRequest) => Asking,
) {
  for (const { endpoint, answer } of operations) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: serialised(endpoint),
      config: { endpoint },
      // the contract is checked by `check`, once for HTTP and for calls in process
      validatorCompiler: () => () => true,
      handler: async (request, reply) => {
        const asking = askingOf(request)
        const input = check(endpoint, request, texts, asking.locale)
        return send(request, reply, endpoint, await answer(input as never, asking))
      },
    })
  }
}

function send(request: FastifyRequest, reply: FastifyReply, endpoint: AnyEndpoint, result: unknown) {
  reply.header('cache-control', endpoint.method === 'GET' ? 'no-cache' : 'no-store')
  reply.status(endpoint.status ?? 200)
  if (endpoint.answer === null) return reply.send()
  if (!(result instanceof Page)) return reply.send(result)
  reply.header('x-total-count', result.total)
  if (result.capped) reply.header('x-total-capped', 'true')
  if (result.next !== null) {
    const url = new URL(request.url, 'http://host')
    url.searchParams.delete('offset')
    url.searchParams.set('after', result.next)
    reply.header('link', `<${url.pathname}${url.search}>; rel="next"`)
  }
  // rows of another shape leave as their store selected them
  if (result.as) reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
  return reply.send(result.items)
}

/** Fields that the contract does not name are dropped by the serialiser that Fastify compiles from this. */
function serialised(endpoint: AnyEndpoint) {
  return endpoint.answer
    ? { response: { [endpoint.status ?? 200]: jsonSchema(endpoint.answer, 'output', 'wire') } }
    : {}
}

/** What any thrown thing becomes for the one who asked: status, headers and the body `{ error, code, fields? }`. */
export function refusalAnswer(error: unknown, texts: Texts, locale: string) {
  if (error instanceof Refusal) {
    const { kind, fields, values, retryAfterS } = error
    return {
      status: kind.status as number,
      retryAfterS: retryAfterS ?? (kind.status === 503 ? 2 : undefined),
      body: {
        error: texts.refusal(locale, kind.code, values),
        code: kind.code as string,
        ...(fields ? { fields } : {}),
      },
      expected: true,
    }
  }
  if (isDatabaseUnavailable(error)) {
    const body = { error: texts.refusal(locale, 'unavailable'), code: 'unavailable' }
    return { status: 503, retryAfterS: 2, body, expected: false }
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) {
    // Fastify's own noes: malformed JSON, a body too large, an unknown media type …
    const code = frameworkCodes[status] ?? 'bad_request'
    return { status, retryAfterS: undefined, body: { error: texts.refusal(locale, code), code }, expected: true }
  }
  const body = { error: texts.refusal(locale, 'internal_error'), code: 'internal_error' }
  return { status: 500, retryAfterS: undefined, body, expected: false }
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

/** The API in process, for rendering pages: same check, same rule, same texts, no HTTP. */
export function callInProcess(
  operations: Operation[],
  texts: Texts,
  asking: Asking,
  onError: (error: unknown) => void,
): Call {
  return async (name, input) => {
    const found = byName(operations).get(name)
    if (!found) throw new Error(`No operation "${name}"`)
    const { endpoint } = found
    try {
      const checked = check(endpoint, (input ?? {}) as object, texts, asking.locale)
      const result = await found.answer(checked as never, asking)
      const page = result instanceof Page ? result : null
      const body = endpoint.answer ? (endpoint.answer as z.ZodType).parse(page ? page.items : result) : null
      return {
        body,
        total: page?.total ?? null,
        totalCapped: page?.capped ?? false,
        next: page?.next ?? null,
      } as Answer<never>
    } catch (error) {
      const { status, body, expected } = refusalAnswer(error, texts, asking.locale)
      if (!expected) onError(error)
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
