/** Markup that is safe to put into a mail: made by `html` alone. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => escapes[letter]!)
}

/** Markup with everything put into it escaped, but for other markup made by `html`. */
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
