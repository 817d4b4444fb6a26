import { useCallback, useState } from 'react'
import { forgetFields, keepFields, keptFields, type KeptFields } from './kept-fields.ts'

/** The values of a form over what the server has of the thing. */
export interface Draft {
  values: KeptFields
  set: (name: string, value: string) => void
  /** Names of the fields that differ from what the server has. */
  changed: string[]
  /** Once it was sent, or is given up: the fields are what the server has. */
  forget: () => void
  /** Once it was sent and the screen goes on: nothing is kept, and the fields stay as they were sent. */
  sent: () => void
}

/**
 * A form whose fields begin with what the server has. What is typed is kept for as long as this tab lives, also after a
 * reload and after a save that failed, until `forget` or `sent`. Drawn in the browser alone.
 */
export function useDraft(form: string, saved: KeptFields): Draft {
  const [typed, setTyped] = useState<KeptFields>(() => keptFields(form))
  const set = useCallback(
    (name: string, value: string) =>
      setTyped((before) => {
        const next = { ...before, [name]: value }
        if (value === (saved[name] ?? '')) delete next[name]
        keepFields(form, next)
        return next
      }),
    [form, saved],
  )
  const forget = useCallback(() => {
    forgetFields(form)
    setTyped({})
  }, [form])
  const sent = useCallback(() => forgetFields(form), [form])
  return { values: { ...saved, ...typed }, set, changed: Object.keys(typed), forget, sent }
}
