/** Values of a form without its secrets. The server draws them again after a refusal, for browsers without JavaScript. */
export type Typed = Record<string, string>

/** Texts of a form by name; '' for files and missing fields. Line ends are LF again: forms send CR LF. */
export function typedIn<const Names extends readonly string[]>(
  form: FormData,
  ...names: Names
): Record<Names[number], string> {
  const texts = names.map((name) => {
    const value = form.get(name)
    return [name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '']
  })
  return Object.fromEntries(texts) as Record<Names[number], string>
}

/** The form of a request; an empty one if it cannot be read. */
export async function formOf(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData())
}
