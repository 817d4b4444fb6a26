import { html, Html } from '../../kit/server/mail-html.ts'

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

/** Colours of the brand; written out, because mail programs know no variables. */
const ink = '#0e1b2c'
const paper = '#fbf6ee'
const surface = '#fffdf9'
const coral = '#f2574a'
const soft = '#515c6b'
const face = "'Bricolage Grotesque','Instrument Sans',system-ui,-apple-system,'Segoe UI',Arial,sans-serif"

/** Blank characters after the hidden first line. Without them, mail programs continue it with the heading. */
const blanks = new Html('&#847;&zwnj;&nbsp;'.repeat(60))

/** Tables and `width` attributes, because Outlook ignores `max-width`, padding of links and most other styles. */
function markupOf(mail: Letter, locale: string, festival: string): Html {
  const text = `margin:0 0 16px;font:16px/1.5 ${face};color:${ink}`
  const small = `margin:0 0 12px;font:13px/1.5 ${face};color:${soft}`
  const link = `display:inline-block;padding:12px 20px;font:700 16px/1.25 ${face};color:${ink};text-decoration:none`
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${mail.subject}</title>
      </head>
      <body style="margin:0;padding:0;background:${paper}">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${mail.paragraphs[0] ?? ''}${blanks}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${paper}">
          <tr>
            <td align="center" style="padding:24px 12px">
              <!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:560px;border:2px solid ${ink};text-align:left"
              >
                <tr>
                  <td
                    bgcolor="${ink}"
                    style="padding:18px 24px;border-bottom:6px solid ${coral};font:800 24px/1 ${face};letter-spacing:-0.03em;color:${paper}"
                  >
                    ${festival}
                  </td>
                </tr>
                <tr>
                  <td bgcolor="${surface}" style="padding:28px 24px 12px">
                    <h1 style="margin:0 0 20px;font:700 24px/1.25 ${face};color:${ink}">${mail.subject}</h1>
                    ${mail.greeting ? [html`<p style="${text}">${mail.greeting}</p>`] : []}
                    ${mail.paragraphs.map((paragraph) => html`<p style="${text}">${paragraph}</p>`)}
                    ${
                      mail.button
                        ? [
                            html`<table
                              role="presentation"
                              cellpadding="0"
                              cellspacing="0"
                              border="0"
                              style="margin:8px 0 16px"
                            >
                              <tr>
                                <td bgcolor="${coral}" style="border:2px solid ${ink};border-radius:6px">
                                  <a href="${mail.button.url}" style="${link}">${mail.button.label}</a>
                                </td>
                              </tr>
                            </table>`,
                          ]
                        : []
                    }
                  </td>
                </tr>
                <tr>
                  <td bgcolor="${paper}" style="padding:16px 24px 4px">
                    <p style="${small}">${mail.footer}</p>
                    ${mail.unsubscribe?.label ? [html`<p style="${small}"><a href="${mail.unsubscribe.url}" style="color:${soft}">${mail.unsubscribe.label}</a></p>`] : []}
                  </td>
                </tr>
              </table>
              <!--[if mso]></td></tr></table><![endif]-->
            </td>
          </tr>
        </table>
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
