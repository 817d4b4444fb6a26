import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { AnswerBody, AnyEndpoint, CallInput } from '../shared/endpoint.ts'
import type { RefusedAnswer } from '../shared/refusal.ts'
import { ask, readable, type ApiCall } from './asking.ts'
import { callByFetch } from './call-endpoint.ts'

/** What was asked for: on its way (both null), answered, or refused. */
export interface AnswerState<Body> {
  body: Body | null
  refused: RefusedAnswer | null
  /** Where a list goes on; null: it is whole. */
  next: string | null
  /** Asks once more; what stands there stays until the answer comes. */
  again: () => void
  /** Replaces the answer by what a change has answered. */
  set: (body: Body) => void
}

/**
 * Something private: it is asked for in the browser alone, once the screen is there, because the server renders every
 * page for everybody. `input` null: not asked for.
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
