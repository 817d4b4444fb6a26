import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { storedInSession } from '../../../accounts/web/session.ts'
import type { CallResult } from '../../../kit/browser/asking.ts'
import type { AnyEndpoint } from '../../../kit/shared/endpoint.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { page } from '../../../site-map.ts'
import { useUploading } from './uploading.ts'

/** After a save it goes on to the dashboard, as specified. */
const goOnAfterMs = 1_500

export interface SaidOfSave {
  text: string
  /** A larger plan would do as asked. */
  isLimit: boolean
}

export interface Saving {
  state: 'idle' | 'saving' | 'saved'
  outcome: { refused: RefusedAnswer } | null
  /** What the server says of a save that it made otherwise than asked; then nobody is sent on. */
  notice: SaidOfSave | null
  /** A picture of the form is on its way: nothing is sent until it is there. */
  isUploading: boolean
  /** The `Uploading` around the fields of the form. */
  countUploading: (by: 1 | -1) => void
  save: <E extends AnyEndpoint, Body>(
    send: () => Promise<CallResult<E, Body>>,
    then: (body: Body) => SaidOfSave | null,
  ) => Promise<void>
}

/**
 * Sends a form of a merchant. `guest` is said, and nothing is sent, where the browser has no token any more. `failed` is
 * said of a refusal without words. `then` is told of the answer, and returns what keeps the page from going on. What is saved
 * is sent no more.
 */
export function useSave({ guest, failed }: { guest: string; failed: string }): Saving {
  const navigate = useNavigate()
  const [state, setState] = useState<Saving['state']>('idle')
  const [outcome, setOutcome] = useState<Saving['outcome']>(null)
  const [notice, setNotice] = useState<SaidOfSave | null>(null)
  const { isUploading, countUploading } = useUploading()
  useEffect(() => {
    if (state !== 'saved' || notice !== null) return
    const timer = setTimeout(() => void navigate(page.dashboard), goOnAfterMs)
    return () => clearTimeout(timer)
  }, [state, notice, navigate])
  return {
    state,
    outcome,
    notice,
    isUploading,
    countUploading,
    async save(send, then) {
      // a second tap while it is sent, or while the page goes on
      if (state !== 'idle' || isUploading) return
      if (storedInSession('authToken') === null || storedInSession('businessId') === null) {
        setOutcome({ refused: { status: 401, code: 'no_business', error: guest } })
        return
      }
      setState('saving')
      setOutcome(null)
      const { answer, refused } = await send()
      if (refused) {
        setState('idle')
        setOutcome({ refused: besideFields(refused.error ? refused : { ...refused, error: failed }) })
        return
      }
      setNotice(then(answer.body))
      setState('saved')
    },
  }
}

/** What is wrong with one of several things ("tags.3") is said beside their field. */
function besideFields(refused: RefusedAnswer): RefusedAnswer {
  if (!refused.fields) return refused
  const fields = Object.entries(refused.fields).map(([name, text]) => [name.split('.')[0]!, text] as const)
  return { ...refused, fields: Object.fromEntries(fields) }
}
