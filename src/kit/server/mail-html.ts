/** Markup that is safe in a mail; only `html` creates it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => escapes[letter]!)
}

/** Template tag that escapes all values except `Html`. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html {
  return new Html(
    parts.reduce((markup, part, index) => {
      const value = values[index - 1]!
      const inner = Array.isArray(value)
        ? value.map((each) => each.markup).join('')
        : value instanceof Html
          ? value.markup
          : escapeHtml(String(value))
      return markup + inner + part
    }),
  )
}
