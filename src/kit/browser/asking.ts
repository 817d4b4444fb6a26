import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Answer, AnswerBody, AnyEndpoint, Call, CallInput, Operation, TypedInput } from '../shared/endpoint.ts'
import { CallRefused, refusedAnswer, type RefusedAnswer } from '../shared/refusal.ts'
import type { ReadableCall } from './answer-reader.ts'
import { endpointCall } from './endpoint-call.ts'
import { anything, isObject, type Read } from './reading.ts'

/** What loaders and actions of screens find in the router's context, on the server and in the browser alike; rooms above add what is theirs. */
export interface PageContext {
  call: Call
  locale: 'en' | 'de' | 'fr'
  theme: 'auto' | 'paper' | 'river'
  /** e.g. https://www.example.ch */
  origin: string
}

export const pageContext = createContext<PageContext>()

/** Who carries a call: the context of a loader or action, or in a live screen `callByFetch`. */
export type Carrier = Readonly<RouterContextProvider> | Call

/** An endpoint whose answer a screen reads in its own way. */
export interface ApiCall<E extends AnyEndpoint, Body = AnswerBody<E>> extends ReadableCall<Read<Body>, Operation<E>> {}

/** How an endpoint is asked and read. */
export const readable = <E extends AnyEndpoint, Body = AnswerBody<E>>(call: E | ApiCall<E, Body>): ApiCall<E, Body> =>
  'operation' in call ? call : (endpointCall(call) as ApiCall<E, Body>)

/** The same endpoint, with its answer read in another way. */
export const readAs = <E extends AnyEndpoint, Body>(endpoint: E, read: Read<Body>): ApiCall<E, Body> => ({
  ...(readable(endpoint) as object as ApiCall<E, Body>),
  read,
})

/** The same endpoint where it is enough that it was accepted: any answer without an error is a success. */
export const accepted = <E extends AnyEndpoint>(endpoint: E): ApiCall<E, null> => readAs(endpoint, anything)

/** A query from the address bar. That it is typed is for types alone: every page would carry the word. */
export const asTyped = (query: Record<string, string | undefined>) => ({ query }) as TypedInput

/** An answer as it was read. */
export type ReadAnswer<E extends AnyEndpoint, Body> = Omit<Answer<E>, 'body'> & { body: Body }
export type CallResult<E extends AnyEndpoint, Body = AnswerBody<E>> =
  { answer: ReadAnswer<E, Body>; refused: null } | { answer: null; refused: RefusedAnswer }

/** Asks the API. A refusal is an answer too: to be shown where something was asked for, or beside the fields of a form. */
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

/** The same for what a page cannot do without: a refusal becomes the error that the frame shows with its status. */
export async function askOrFail<E extends AnyEndpoint, Body = AnswerBody<E>>(
  by: Carrier,
  endpoint: E | ApiCall<E, Body>,
  input?: CallInput<E> | TypedInput,
): Promise<ReadAnswer<E, Body>> {
  const { answer, refused } = await ask(by, endpoint, input)
  if (refused) throw pageError(refused)
  return answer
}

/** A refusal as the error of a page. */
export const pageError = (refused: RefusedAnswer) =>
  data(refused, { status: refused.status >= 400 ? refused.status : 503 })

/** Throws `CallRefused` for an `error` in the answer, whatever its status, and for what cannot be read. */
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
