import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { AnswerBody, AnyEndpoint, CallInput } from '../shared/endpoint.ts'
import type { RefusedAnswer } from '../shared/refusal.ts'
import { ask, readable, type ApiCall } from './ask.ts'
import { callByFetch } from './call-endpoint.ts'

/** A request as a screen shows it: loading (`body` and `refused` null), answered, or refused. */
export interface AnswerState<Body> {
  body: Body | null
  refused: RefusedAnswer | null
  /** Cursor of the next page of a list; null: this was the last. */
  next: string | null
  /** Asks again; the current answer stays until the new one arrives. */
  again: () => void
  /** Replaces the answer, for example by that of a change. */
  set: (body: Body) => void
}

/**
 * Asks for private data, in the browser alone, after the screen was drawn: the server renders pages without a login.
 * @param input null: does not ask
 */
export function useAnswer<E extends AnyEndpoint, Body = AnswerBody<E>>(
  endpoint: E | ApiCall<E, Body>,
  input: CallInput<E> | null,
): AnswerState<Body> {
  const call = readable(endpoint)
  const wanted = input === null ? null : JSON.stringify([call.operation, input])
  const [state, setState] = useState<Omit<AnswerState<Body>, 'again' | 'set'> & { of: string | null }>(nothing)
  const send = useEffectEvent((given: CallInput<E>) => ask(callByFetch, call, given))
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (wanted === null) return
    let late = false
    const [, given] = JSON.parse(wanted) as [string, CallInput<E>]
    void send(given).then(({ answer, refused }) => {
      if (!late) setState({ ...nothing, ...answer, of: wanted, refused })
    })
    return () => {
      late = true
    }
  }, [wanted, times])
  const current = state.of === wanted ? state : nothing
  return {
    ...current,
    again: useCallback(() => setTimes((count) => count + 1), []),
    set: useCallback((body: Body) => setState({ ...nothing, of: wanted, body }), [wanted]),
  }
}

const nothing = { of: null, body: null, refused: null, next: null }
