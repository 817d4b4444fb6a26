/**
 * Puts the cursor into the first field of a form that something is wrong with; false where it has no such field. Of several with
 * one name it is the one that the browser finds a fault with.
 */
export function focusFirst(form: HTMLFormElement | null, faults: Record<string, string> | undefined): boolean {
  if (!form || !faults) return false
  const wrong = ([...form.elements] as HTMLInputElement[]).filter(
    ({ name, type }) => type !== 'hidden' && name in faults,
  )
  const ofFirst = wrong.filter(({ name }) => name === wrong[0]!.name)
  const control = ofFirst.find(({ validity }) => !validity.valid) ?? ofFirst[0]
  control?.focus()
  return control !== undefined
}
