/** A value as a text field or check box of a form holds it: '' for null and false, "true" for true, lists separated by ", ". */
export function formText(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  return Array.isArray(value) ? value.join(', ') : String(value as string | number | boolean)
}

/** A thing as the texts of its form, whose fields are those of `empty`. */
export function formTexts<Name extends string>(empty: Record<Name, string>, thing: Partial<Record<Name, unknown>>) {
  const names = Object.keys(empty) as Name[]
  return Object.fromEntries(names.map((name) => [name, formText(thing[name])])) as Record<Name, string>
}
