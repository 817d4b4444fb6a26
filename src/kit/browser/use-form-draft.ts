import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { deleteFormDraft, storeFormDraft, readFormDraft, type FormValues } from './form-drafts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Keeps what is typed into the uncontrolled fields `names` of a form for as long as this tab lives, and puts it back when
 * the form is drawn again: after a look at another page, in another language, after a reload. `names` never holds a
 * password or token, whatever the type of its field. `typed`: what the server drew into the fields after a refusal.
 */
export function useFormDraft(
  ref: RefObject<HTMLFormElement | null>,
  form: string,
  names: readonly string[],
  typed?: FormValues,
): void {
  const begin = useEffectEvent((element: HTMLFormElement) => {
    const fields = typed ? Object.fromEntries(names.map((name) => [name, typed[name] ?? ''])) : readFormDraft(form)
    for (const control of controlsOf(element, names)) {
      const kept = fields[control.name]
      // typed before the page was alive, or put back by the browser itself
      if (isText(control) && control.value !== '') fields[control.name] = control.value
      else if (kept !== undefined) putBack(control, kept)
    }
    if (Object.keys(fields).length > 0) storeFormDraft(form, fields)
  })
  const keep = useEffectEvent(({ target }: Event) => {
    const control = target as Control
    if (names.includes(control.name)) storeFormDraft(form, { ...readFormDraft(form), [control.name]: valueOf(control) })
  })
  // before it is painted, so that nobody sees the form empty first
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    begin(element)
    const listen = (event: Event) => keep(event)
    element.addEventListener('input', listen)
    return () => element.removeEventListener('input', listen)
  }, [ref])
}

/** For what is shown in place of a form that was sent. */
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

function putBack(control: Control, value: string): void {
  if (control.type === 'checkbox') (control as HTMLInputElement).checked = value !== ''
  else if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === value
  else control.value = value
}
