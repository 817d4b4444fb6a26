import { useCallback, useEffect, useState } from 'react'
import type { AnswerBody, AnyEndpoint, CallInput, Operation } from '../shared/endpoint.ts'
import type { RefusedAnswer } from '../shared/refusal.ts'
import { tryCall } from './asking.ts'

/** What was asked for: on its way (both null), answered, or refused. */
export interface Asked<E extends AnyEndpoint> {
  body: AnswerBody<E> | null
  refused: RefusedAnswer | null
  /** Asks once more; what stands there stays until the answer comes. */
  again: () => void
  /** Replaces the answer by what a change has answered. */
  set: (body: AnswerBody<E>) => void
}

/**
 * Something private: it is asked for in the browser alone, once the screen is there, because the server renders every
 * page for everybody. `input` null: not asked for.
 */
export function useAnswer<E extends AnyEndpoint>(operation: Operation<E>, input: CallInput<E> | null): Asked<E> {
  const wanted = input === null ? null : JSON.stringify([operation, input])
  const [state, setState] = useState<{ of: string | null; body: AnswerBody<E> | null; refused: RefusedAnswer | null }>(
    nothing,
  )
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (wanted === null) return
    let late = false
    const [name, given] = JSON.parse(wanted) as [Operation<E>, CallInput<E>]
    void tryCall<E>(name, given).then(({ answer, refused }) => {
      if (!late) setState({ of: wanted, body: answer?.body ?? null, refused })
    })
    return () => {
      late = true
    }
  }, [wanted, times])
  const current = state.of === wanted ? state : nothing
  return {
    body: current.body,
    refused: current.refused,
    again: useCallback(() => setTimes((count) => count + 1), []),
    set: useCallback((body: AnswerBody<E>) => setState({ of: wanted, body, refused: null }), [wanted]),
  }
}

const nothing = { of: null, body: null, refused: null }
