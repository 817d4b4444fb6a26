import type { AnswerBody, AnyEndpoint, CallInput } from '../../shared/endpoint.ts'
import { ask, readable, type ApiCall, type CallResult } from '../ask.ts'
import { callByFetch } from '../call-endpoint.ts'
import { useSameKey } from './use-same-key.ts'

/** Asks for an action with an `Idempotency-Key`: a retry after a lost answer does not do it twice. */
export function useAskOnce() {
  const same = useSameKey()
  return async <E extends AnyEndpoint, Body = AnswerBody<E>>(
    endpoint: E | ApiCall<E, Body>,
    input: CallInput<E>,
  ): Promise<CallResult<E, Body>> => {
    const idempotencyKey = same.keyOf([readable(endpoint).operation, input])
    const outcome = await ask(callByFetch, endpoint, { ...input, idempotencyKey })
    const { refused } = outcome
    if (!refused || (refused.status >= 400 && refused.status < 500)) same.answered()
    return outcome
  }
}
