/** Values of a form but for secrets, to be drawn again where no script keeps them. */
export type Typed = Record<string, string>

/** Texts of a form by name; files and what is absent are ''. Line ends as the writer made them: forms send CR LF. */
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

export async function formOf(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData())
}
