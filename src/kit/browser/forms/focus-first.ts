/** Puts the cursor into the first field of a form that something is wrong with; false where it has no such field. */
export function focusFirst(form: HTMLFormElement | null, faults: Record<string, string> | undefined): boolean {
  if (!form || !faults) return false
  for (const control of form.elements) {
    const { name, type } = control as HTMLInputElement
    if (type === 'hidden' || !(name in faults)) continue
    ;(control as HTMLElement).focus()
    return true
  }
  return false
}
