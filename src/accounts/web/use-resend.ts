import { useState } from 'react'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { resendVerification } from '../contract.ts'

/** Sends the mail with the confirmation link again. */
export function useResend() {
  const { send, isSending, refused } = useSend()
  const [isSent, setSent] = useState(false)
  const resend = async () => {
    const { answer } = await send(resendVerification, { as: 'action' })
    setSent(answer !== null)
  }
  return { resend, isSending, isSent, refused }
}
