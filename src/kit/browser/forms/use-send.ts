import { useState } from 'react'
import type { AnswerBody, AnyEndpoint, CallInput } from '../../shared/endpoint.ts'
import type { RefusedAnswer } from '../../shared/refusal.ts'
import { ask, type ApiCall, type CallResult } from '../ask.ts'
import { callByFetch } from '../call-endpoint.ts'

/** Sends requests of a screen. `refused`: why the last one failed; null as soon as the next one is sent. */
export function useSend() {
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  async function send<E extends AnyEndpoint, Body = AnswerBody<E>>(
    endpoint: E | ApiCall<E, Body>,
    input: CallInput<E>,
  ): Promise<CallResult<E, Body>> {
    setSending(true)
    setRefused(null)
    const outcome = await ask(callByFetch, endpoint, input)
    setSending(false)
    setRefused(outcome.refused)
    return outcome
  }
  return { send, isSending, refused }
}
