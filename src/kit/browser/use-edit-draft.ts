import { useCallback, useRef, useState } from 'react'
import { deleteFormDraft, readFormDraft, storeFormDraft, type FormValues } from './form-drafts.ts'

/** A form that edits something: the saved values, and over them the draft. */
export interface EditDraft {
  values: FormValues
  set: (name: string, value: string) => void
  /** Names of the fields that differ from the saved values. */
  changed: string[]
  /** Names of changed fields whose saved value is no longer the one that was typed over: somebody else changed them too. */
  conflicts: string[]
  /** Takes the saved values for the fields in `conflicts`. */
  dropConflicts: () => void
  /** Deletes the draft: all fields show the saved values. */
  discard: () => void
  /**
   * Deletes the stored draft once it was sent; the fields stay as they were sent. `isLast` (default): the screen is left
   * next, so later input is not stored either.
   */
  sent: (isLast?: boolean) => void
}

/**
 * The draft of a form with controlled fields. It is stored for as long as this tab lives, over a reload and a failed save,
 * until `discard` or `sent`. The saved values that were typed over are stored with it. For screens that are drawn in the
 * browser alone.
 * @param saved the values that the server has
 */
export function useEditDraft(form: string, saved: FormValues): EditDraft {
  const formOver = `${form} over`
  const [{ typed, over }, setDraft] = useState(() => ({ typed: readFormDraft(form), over: readFormDraft(formOver) }))
  const isSent = useRef(false)
  const update = useCallback(
    (change: (typed: FormValues, over: FormValues) => void) =>
      setDraft((before) => {
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
      update((typed, over) => {
        const was = saved[name] ?? ''
        if (value === was) {
          delete typed[name]
          delete over[name]
          return
        }
        if (!(name in typed)) over[name] = was
        typed[name] = value
      }),
    [update, saved],
  )
  // a typed value may equal the saved one: a save can arrive although its answer was lost
  const conflicts = Object.entries(typed)
    .filter(([name, value]) => ![over[name], value].includes(saved[name] ?? ''))
    .map(([name]) => name)
  const changed = Object.keys(typed).filter((name) => typed[name] !== (saved[name] ?? ''))
  const dropConflicts = () =>
    update((typed, over) => {
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
  const discard = useCallback(() => {
    sent(false)
    setDraft({ typed: {}, over: {} })
  }, [sent])
  return { values: { ...saved, ...typed }, set, changed, conflicts, dropConflicts, discard, sent }
}
