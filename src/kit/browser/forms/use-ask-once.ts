import type { AnyEndpoint, CallInput } from '../../shared/endpoint.ts'
import { ask, type ApiCall, type Outcome } from '../asking.ts'
import { callByFetch } from '../call-endpoint.ts'
import { useSameKey } from './use-same-key.ts'

/** Asks for an action that takes an `Idempotency-Key`: sent again after its answer was lost, it is done once. */
export function useAskOnce() {
  const same = useSameKey()
  return async <E extends AnyEndpoint, Body>(
    call: ApiCall<E, Body>,
    input: CallInput<E>,
  ): Promise<Outcome<E, Body>> => {
    const idempotencyKey = same.keyOf([call.operation, input])
    const outcome = await ask(callByFetch, call, { ...input, idempotencyKey })
    const { refused } = outcome
    if (!refused || (refused.status >= 400 && refused.status < 500)) same.answered()
    return outcome
  }
}
