import { html, type Html } from '../../kit/server/mail-html.ts'

/** The words of a mail; `layOut` adds the design. */
export interface Letter {
  to: string
  subject: string
  greeting: string | null
  paragraphs: string[]
  button: { label: string; url: string } | null
  /** Why the reader gets this mail. */
  footer: string
  /** One click there ends the subscription (RFC 8058); shown at the end if it has a label. */
  unsubscribe?: { label?: string; url: string }
}

/** The same mail as HTML and as plain text. */
export function layOut(
  letter: Letter,
  { locale, festival }: { locale: string; festival: string },
): { html: string; text: string } {
  return { html: markupOf(letter, locale, festival).markup, text: textOf(letter, festival) }
}

function markupOf(mail: Letter, locale: string, festival: string): Html {
  const text = 'margin:0 0 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif;color:#1d1b16'
  const small = 'margin:24px 0 0;font:13px/1.5 system-ui,sans-serif;color:#6b6454'
  const link =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d1b16;color:#fdf8ec;text-decoration:none;font-weight:600'
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${mail.subject}</title>
      </head>
      <body style="margin:0;padding:24px;background:#f6efe0">
        <div
          style="max-width:560px;margin:0 auto;padding:28px;background:#fffdf7;border-top:6px solid #f2574a;border-radius:6px"
        >
          <p style="margin:0 0 20px;font:700 15px/1.3 system-ui,sans-serif;color:#123a5a">${festival}</p>
          <h1 style="margin:0 0 20px;font:700 22px/1.3 system-ui,sans-serif;color:#1d1b16">${mail.subject}</h1>
          ${mail.greeting ? [html`<p style="${text}">${mail.greeting}</p>`] : []}
          ${mail.paragraphs.map((paragraph) => html`<p style="${text}">${paragraph}</p>`)}
          ${mail.button ? [html`<p style="${text}"><a href="${mail.button.url}" style="${link}">${mail.button.label}</a></p>`] : []}
          <p style="${small}">${mail.footer}</p>
          ${mail.unsubscribe?.label ? [html`<p style="${small}"><a href="${mail.unsubscribe.url}" style="color:#6b6454">${mail.unsubscribe.label}</a></p>`] : []}
        </div>
      </body>
    </html>`
}

function textOf(letter: Letter, festival: string): string {
  const link = ({ label, url }: { label: string; url: string }) => (label === url ? url : `${label}\n${url}`)
  const { subject, greeting, paragraphs, button, footer, unsubscribe } = letter
  const words = [festival, subject, greeting, ...paragraphs].map((each) => each?.replace(/\s+/g, ' '))
  return [
    ...words,
    button && link(button),
    footer,
    unsubscribe?.label && link({ ...unsubscribe, label: unsubscribe.label }),
  ]
    .filter(Boolean)
    .join('\n\n')
}
