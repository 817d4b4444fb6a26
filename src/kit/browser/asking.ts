import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Answer, AnyEndpoint, Call, CallInput, Operation } from '../shared/endpoint.ts'
import { refusedAnswer, type RefusedAnswer } from '../shared/refusal.ts'
import { callByFetch } from './call-endpoint.ts'

/** What loaders and actions of screens find in the router's context, on the server and in the browser alike. */
export interface PageContext {
  call: Call
  locale: 'en' | 'de' | 'fr'
  theme: 'auto' | 'paper' | 'river'
  /** e.g. https://deals.example.ch */
  origin: string
  festival: { name: string; edition: string; zone: string; latitude: number; longitude: number }
}

export const pageContext = createContext<PageContext>()

type Context = Readonly<RouterContextProvider>

/** Asks the API for what a screen shows. A refusal becomes the error that the frame shows with its status. */
export async function ask<E extends AnyEndpoint>(
  context: Context,
  operation: Operation<E>,
  input?: CallInput<E>,
): Promise<Answer<E>> {
  try {
    return await context.get(pageContext).call<E>(operation, input)
  } catch (error) {
    const refused = refusedAnswer(error)
    if (refused) throw data(refused, { status: refused.status || 503 })
    throw error
  }
}

/** The same for a form: a refusal is an answer, to be shown beside the fields. */
export async function submit<E extends AnyEndpoint>(
  context: Context,
  operation: Operation<E>,
  input?: CallInput<E>,
): Promise<{ answer: Answer<E>; refused: null } | { answer: null; refused: RefusedAnswer }> {
  try {
    return { answer: await context.get(pageContext).call<E>(operation, input), refused: null }
  } catch (error) {
    const refused = refusedAnswer(error)
    if (refused) return { answer: null, refused }
    throw error
  }
}

/** The same from a screen that is alive in the browser, outside of loaders and actions. */
export async function tryCall<E extends AnyEndpoint>(
  operation: Operation<E>,
  input: CallInput<E>,
): Promise<{ answer: Answer<E>; refused: null } | { answer: null; refused: RefusedAnswer }> {
  try {
    return { answer: await callByFetch<E>(operation, input), refused: null }
  } catch (error) {
    const refused = refusedAnswer(error)
    if (refused) return { answer: null, refused }
    throw error
  }
}
