import { useCallback, useRef, useState } from 'react'
import { deleteFormDraft, storeFormDraft, readFormDraft, type FormValues } from './form-drafts.ts'

/** The values of a form over what the server has of the thing. */
export interface EditDraft {
  values: FormValues
  set: (name: string, value: string) => void
  /** Names of the fields that differ from what the server has. */
  changed: string[]
  /** Of these the ones that the server has had otherwise since they were typed: somebody else changed them too. */
  conflicts: string[]
  /** Gives up what was typed into the fields that somebody else changed too. */
  dropConflicts: () => void
  /** Once it was sent, or is given up: the fields are what the server has. */
  forget: () => void
  /**
   * Once it was sent: what was typed is no longer kept, and the fields stay as they were sent. `isLast`: the screen goes on, and
   * nothing that still comes is kept either.
   */
  sent: (isLast?: boolean) => void
}

/**
 * A form whose fields begin with what the server has. What is typed is kept for as long as this tab lives, also after a
 * reload and after a save that failed, until `forget` or `sent`, and with it what it was typed over. Drawn in the browser alone.
 */
export function useEditDraft(form: string, saved: FormValues): EditDraft {
  const formOver = `${form} over`
  const [{ typed, over }, setKept] = useState(() => ({ typed: readFormDraft(form), over: readFormDraft(formOver) }))
  const isSent = useRef(false)
  const keep = useCallback(
    (change: (typed: FormValues, over: FormValues) => void) =>
      setKept((before) => {
        const next = { typed: { ...before.typed }, over: { ...before.over } }
        change(next.typed, next.over)
        if (!isSent.current) {
          storeFormDraft(form, next.typed)
          storeFormDraft(formOver, next.over)
        }
        return next
      }),
    [form, formOver],
  )
  const set = useCallback(
    (name: string, value: string) =>
      keep((typed, over) => {
        const was = saved[name] ?? ''
        if (value === was) {
          delete typed[name]
          delete over[name]
          return
        }
        if (!(name in typed)) over[name] = was
        typed[name] = value
      }),
    [keep, saved],
  )
  const conflicts = Object.entries(typed)
    .filter(([name, value]) => ![over[name], value].includes(saved[name] ?? ''))
    .map(([name]) => name)
  // a save whose answer was lost may have arrived
  const changed = Object.keys(typed).filter((name) => typed[name] !== (saved[name] ?? ''))
  const dropConflicts = () =>
    keep((typed, over) => {
      for (const name of conflicts) {
        delete typed[name]
        delete over[name]
      }
    })
  const sent = useCallback(
    (isLast = true) => {
      isSent.current = isLast
      deleteFormDraft(form)
      deleteFormDraft(formOver)
    },
    [form, formOver],
  )
  const forget = useCallback(() => {
    sent(false)
    setKept({ typed: {}, over: {} })
  }, [sent])
  return { values: { ...saved, ...typed }, set, changed, conflicts, dropConflicts, forget, sent }
}
