import { useState } from 'react'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { resendVerification } from '../contract.ts'

/** Sends the mail with the confirmation link again. `outcome`: null until then. */
export function useResend() {
  const [sending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer | null } | null>(null)
  const resend = async () => {
    setSending(true)
    setOutcome(await ask(callByFetch, resendVerification, { as: 'action' }))
    setSending(false)
  }
  return { resend, sending, outcome }
}
