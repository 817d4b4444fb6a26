import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { deleteFormDraft, readFormDraft, storeFormDraft, type FormValues } from './form-drafts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Stores the uncontrolled fields `names` of a form as a draft of this tab, and restores them when the form is drawn again:
 * after a visit to another page, a change of language, a reload. Never put the name of a password or a token into `names`.
 * @param typed values that the server drew into the form after a refusal; they replace the draft
 */
export function useFormDraft(
  ref: RefObject<HTMLFormElement | null>,
  form: string,
  names: readonly string[],
  typed?: FormValues,
): void {
  const restore = useEffectEvent((element: HTMLFormElement) => {
    const draft = typed ? Object.fromEntries(names.map((name) => [name, typed[name] ?? ''])) : readFormDraft(form)
    for (const control of controlsOf(element, names)) {
      const value = draft[control.name]
      // text in the field is newer than the draft: typed before hydration, or restored by the browser
      if (isText(control) && control.value !== '') draft[control.name] = control.value
      else if (value !== undefined) fill(control, value)
    }
    if (Object.keys(draft).length > 0) storeFormDraft(form, draft)
  })
  const store = useEffectEvent(({ target }: Event) => {
    const control = target as Control
    if (names.includes(control.name)) storeFormDraft(form, { ...readFormDraft(form), [control.name]: valueOf(control) })
  })
  // a layout effect runs before the paint: nobody sees the form empty first
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    restore(element)
    const listen = (event: Event) => store(event)
    element.addEventListener('input', listen)
    return () => element.removeEventListener('input', listen)
  }, [ref])
}

/** Deletes the draft of a form that was sent. For the screen that replaces the form. */
export function useDeletedFormDraft(form: string): void {
  useEffect(() => deleteFormDraft(form), [form])
}

function controlsOf(element: HTMLFormElement, names: readonly string[]): Control[] {
  return ([...element.elements] as Control[]).filter(({ name }) => names.includes(name))
}

const isText = ({ type }: Control) => !['checkbox', 'radio', 'select-one'].includes(type)

function valueOf(control: Control): string {
  return control.type === 'checkbox' && !(control as HTMLInputElement).checked ? '' : control.value
}

function fill(control: Control, value: string): void {
  if (control.type === 'checkbox') (control as HTMLInputElement).checked = value !== ''
  else if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === value
  else control.value = value
}
