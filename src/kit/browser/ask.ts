import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Answer, AnswerBody, AnyEndpoint, Call, CallInput, Operation, TypedInput } from '../shared/endpoint.ts'
import { CallRefused, refusedAnswer, type RefusedAnswer } from '../shared/refusal.ts'
import type { ReadableCall } from './answer-reader.ts'
import { endpointCall } from './endpoint-call.ts'
import { anything, isObject, type Read } from './reading.ts'

/** The router's context for loaders and actions of screens, on the server and in the browser. Rooms above add their own. */
export interface PageContext {
  call: Call
  locale: 'en' | 'de' | 'fr'
  theme: 'auto' | 'paper' | 'river'
  /** e.g. https://www.example.ch */
  origin: string
}

export const pageContext = createContext<PageContext>()

/** What sends a call: the context of a loader or action, or `callByFetch` in a screen that is already drawn. */
export type Carrier = Readonly<RouterContextProvider> | Call

/** An endpoint with the reader of its answer. */
export interface ApiCall<E extends AnyEndpoint, Body = AnswerBody<E>> extends ReadableCall<Read<Body>, Operation<E>> {}

/** The call of an endpoint; calls pass unchanged. */
export const readable = <E extends AnyEndpoint, Body = AnswerBody<E>>(call: E | ApiCall<E, Body>): ApiCall<E, Body> =>
  'operation' in call ? call : (endpointCall(call) as ApiCall<E, Body>)

/** The same endpoint with another reader of its answer. */
export const readAs = <E extends AnyEndpoint, Body>(endpoint: E, read: Read<Body>): ApiCall<E, Body> => ({
  ...(readable(endpoint) as object as ApiCall<E, Body>),
  read,
})

/** The same endpoint, with any answer without an error as a success: its content is not read. */
export const accepted = <E extends AnyEndpoint>(endpoint: E): ApiCall<E, null> => readAs(endpoint, anything)

/** A query from the address bar. `TypedInput` is a type-only marker; it adds nothing at run time. */
export const asTyped = (query: Record<string, string | undefined>) => ({ query }) as TypedInput

/** An answer with its body as the reader gave it. */
export type ReadAnswer<E extends AnyEndpoint, Body> = Omit<Answer<E>, 'body'> & { body: Body }
export type CallResult<E extends AnyEndpoint, Body = AnswerBody<E>> =
  { answer: ReadAnswer<E, Body>; refused: null } | { answer: null; refused: RefusedAnswer }

/** Asks the API. A refusal is returned, not thrown: a form shows it beside its fields. @throws anything unexpected */
export async function ask<E extends AnyEndpoint, Body = AnswerBody<E>>(
  by: Carrier,
  endpoint: E | ApiCall<E, Body>,
  input?: CallInput<E> | TypedInput,
): Promise<CallResult<E, Body>> {
  try {
    const call = readable(endpoint)
    const carry = typeof by === 'function' ? by : by.get(pageContext).call
    const answer = await carry<E>(call.operation, input)
    return { answer: { ...answer, body: readBody(call, answer.body, input) }, refused: null }
  } catch (error) {
    const refused = refusedAnswer(error)
    if (refused) return { answer: null, refused }
    throw error
  }
}

/** `ask` for data that a page cannot do without. @throws a refusal, as an error page with its status */
export async function askOrFail<E extends AnyEndpoint, Body = AnswerBody<E>>(
  by: Carrier,
  endpoint: E | ApiCall<E, Body>,
  input?: CallInput<E> | TypedInput,
): Promise<ReadAnswer<E, Body>> {
  const { answer, refused } = await ask(by, endpoint, input)
  if (refused) throw pageError(refused)
  return answer
}

/** A refusal as the error of a page; 503 where no answer came. */
export const pageError = (refused: RefusedAnswer) =>
  data(refused, { status: refused.status >= 400 ? refused.status : 503 })

/** @throws `CallRefused` for an `error` in the body, even with status 200, and for an unreadable body */
function readBody<E extends AnyEndpoint, Body>(
  { read, id, statusOnly }: ApiCall<E, Body>,
  body: unknown,
  input: CallInput<E> | TypedInput | undefined,
): Body {
  if (!statusOnly && isObject(body) && typeof body['error'] === 'string' && body['error'])
    throw new CallRefused({ status: 502, code: 'error_in_answer', error: body['error'] })
  const asked = (input as { params?: Record<string, unknown> } | undefined)?.params
  const whole = id && isObject(body) && Object.keys(body).length > 0 ? { ...body, [id]: body[id] ?? asked?.[id] } : body
  const value = read(whole)
  if (value === undefined) throw new CallRefused({ status: 502, code: 'unreadable', error: '' })
  return value
}
