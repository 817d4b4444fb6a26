import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAskOnce } from '../../kit/browser/forms/use-ask-once.ts'
import type { AnyEndpoint, CallInput } from '../../kit/shared/endpoint.ts'
import { announceDecision } from './decisions.ts'

/** Sends a decision with an `Idempotency-Key`, so that retries count once. `fault`: error message; null: the decision was saved. */
export function useDecide() {
  const t = useTranslations('staff')
  const forms = useTranslations('forms')
  const askOnce = useAskOnce()
  const [isSending, setSending] = useState(false)
  async function decide<E extends AnyEndpoint>(endpoint: E, input: CallInput<E>) {
    setSending(true)
    const outcome = await askOnce(endpoint, input)
    const { refused } = outcome
    setSending(false)
    announceDecision()
    const fault = refused && (refused.error || (refused.status === 0 ? forms('offlineTap') : t('failed')))
    return { ...outcome, fault }
  }
  return { decide, isSending }
}
