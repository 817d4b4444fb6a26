/** Focuses the first field of a form that has a fault. @returns false if no field has one */
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
