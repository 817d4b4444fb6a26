import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { html, type Html } from '../kit/server/mail-html.ts'
import { keptMails, type KeptMail } from '../kit/server/mailer.ts'
import { page } from '../site-map.ts'
import { isLoopback, type Config } from './config.ts'

const newest = 50

/** Address of the page with the mails of the demo; null where mails are sent, or where others reach the site. */
export function demoMailboxOf(config: Config): string | null {
  if (config.smtpUrl !== null) return null
  if (config.publicUrl !== null && !isLoopback(new URL(config.publicUrl).hostname)) return null
  return page.demoMail
}

/** Shows the mails that the demo writes as files, to whoever asks for this machine by a name that only it has. */
export function serveDemoMailbox(app: FastifyInstance, config: Config) {
  app.get(page.demoMail, { schema: { hide: true } }, async (request, reply) => {
    const host = URL.parse(`http://${request.headers.host ?? ''}`)
    if (!host || !isLoopback(host.hostname)) return reply.callNotFound()
    const mails = await keptMails(join(config.dataDir, 'mail'), newest)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(mailbox(mails, config.festival.name).markup)
  })
}

function mailbox(mails: KeptMail[], festival: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Demo mailbox – ${festival}</title>
      </head>
      <body>
        <h1>Demo mailbox</h1>
        <p>
          ${festival} sends no mail here. These are the last ${newest} it would have sent; this page exists on this
          machine only.
        </p>
        ${mails.length === 0 ? [html`<p>No mail yet.</p>`] : []}
        ${mails.map(
          (mail) =>
            html`<article>
              <h2>${mail.subject}</h2>
              <p>To ${mail.to}, <time datetime="${mail.at}">${mail.at}</time></p>
              <pre>${linked(mail.text)}</pre>
            </article>`,
        )}
      </body>
    </html>`
}

/** Addresses in the text as links, everything else escaped. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
}
