import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { storedInSession } from '../../../accounts/web/session.ts'
import type { CallResult } from '../../../kit/browser/ask.ts'
import type { AnyEndpoint } from '../../../kit/shared/endpoint.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { page } from '../../../site-map.ts'
import { useUploading } from './uploading.ts'

/** Time from a save to the dashboard, as specified. */
const goOnAfterMs = 1_500

/** Why a save differs from what was asked. */
export interface SaveNotice {
  text: string
  /** A higher tier would allow it. */
  isLimit: boolean
}

export interface Saving {
  state: 'idle' | 'saving' | 'saved'
  outcome: { refused: RefusedAnswer } | null
  /** The server saved, but not as asked; then the page stays. */
  notice: SaveNotice | null
  /** A picture is being uploaded: the form is not sent yet. */
  isUploading: boolean
  /** For `Uploading` around the fields. */
  countUploading: (by: 1 | -1) => void
  save: <E extends AnyEndpoint, Body>(
    send: () => Promise<CallResult<E, Body>>,
    then: (body: Body) => SaveNotice | null,
  ) => Promise<void>
}

/**
 * Saves a form of a merchant, once. `guest`: the error without a token in this browser, where nothing is sent. `failed`: the error
 * of a refusal without text. `then` gets the answer and returns a notice, or null to go on to the dashboard.
 */
export function useSave({ guest, failed }: { guest: string; failed: string }): Saving {
  const navigate = useNavigate()
  const [state, setState] = useState<Saving['state']>('idle')
  const [outcome, setOutcome] = useState<Saving['outcome']>(null)
  const [notice, setNotice] = useState<SaveNotice | null>(null)
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
      // ignores taps while a save runs, and after it
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

/** Moves the error of one item ("tags.3") to the field of the list. */
function besideFields(refused: RefusedAnswer): RefusedAnswer {
  if (!refused.fields) return refused
  const fields = Object.entries(refused.fields).map(([name, text]) => [name.split('.')[0]!, text] as const)
  return { ...refused, fields: Object.fromEntries(fields) }
}
