/** A value as a text field or check box of a form holds it: '' for null and false, "true" for true, lists separated by ", ". */
export function formText(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  return Array.isArray(value) ? value.join(', ') : String(value as string | number | boolean)
}
