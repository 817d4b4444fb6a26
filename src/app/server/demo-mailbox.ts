import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isEqual, type Keyring } from '../../kit/server/keyring.ts'
import { html, type Html } from '../../kit/server/mail-html.ts'
import { listStoredMails, type StoredMail } from '../../kit/server/mailer.ts'
import { page } from '../../site-map.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../settings.ts'
import { dateFormat } from '../../kit/shared/calendar.ts'

const newest = 50

/** Path of the page that shows the mails of the demo; null: mails are really sent, or others can reach the site. */
export function demoMailboxOf(config: Config): string | null {
  if (config.smtpUrl !== null) return null
  if (config.publicUrl !== null && !isLoopback(new URL(config.publicUrl).hostname)) return null
  return page.demoMail
}

/**
 * Path of the mailbox with its key, for the person who starts the site. No page and no API answer contains the key. It is derived
 * from the secret of the installation, so it is the same on every instance and after every start.
 */
export function openDemoMailbox(keyring: Keyring): string {
  return `${page.demoMail}?key=${keyOf(keyring)}`
}

function keyOf(keyring: Keyring): string {
  return keyring.mac('demo mailbox', 'key').toString('base64url').slice(0, 22)
}

const cookieName = 'demo_mail'

/** Whether the request has the key, in its address or in the cookie that the mailbox sets, so that links without it work too. */
function bringsKey({ query, headers }: FastifyRequest, key: string): boolean {
  const inCookie = new RegExp(`(?:^|; *)${cookieName}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]
  const given = (query as { key?: unknown }).key ?? inCookie
  return isEqual(Buffer.from(String(given)), Buffer.from(key))
}

const lookPath = `${page.demoMail}.css`

const faces = [
  { path: `${page.demoMail}-display.woff2`, file: 'bricolage-grotesque-display.woff2' },
  { path: `${page.demoMail}-text.woff2`, file: 'instrument-sans-text.woff2' },
] as const

/** Looks like the site, in both themes, but works without its build. */
const look = `
@font-face { font-family: Display; font-weight: 700 800; font-display: swap; src: url('${faces[0].path}') format('woff2') }
@font-face { font-family: Text; font-weight: 400 700; font-display: swap; src: url('${faces[1].path}') format('woff2') }
:root {
  color-scheme: light dark;
  --page: light-dark(#fbf6ee, #0c1928); --surface: light-dark(#fffdf9, #12293f); --ink: light-dark(#0e1b2c, #fbf6ee);
  --soft: light-dark(#515c6b, #a9bbca); --rule: light-dark(#0e1b2c, #4f93c2); --link: light-dark(#123a5a, #8fcbf0)
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 Text, system-ui, sans-serif }
h1, h2 { font-family: Display, system-ui, sans-serif; font-weight: 750 }
header { background: #123a5a; color: #fbf6ee; border-bottom: 2px solid var(--rule) }
header > div, main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem }
h1 { margin: 0; font-size: 2rem; line-height: 1.1 }
header p { margin: .5rem 0 0; max-width: 52ch }
header a { color: inherit }
main { display: grid; gap: 1rem }
article { background: var(--surface); border: 2px solid var(--rule); border-radius: 6px; padding: 1rem }
h2 { margin: 0; font-size: 1.2rem; line-height: 1.25 }
article p { margin: .25rem 0 0; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere }
pre { margin: 1rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
a { color: var(--link); text-underline-offset: 3px }
:focus-visible { outline: 3px solid #ffc145; outline-offset: 2px }
`

/**
 * Whether the request comes from this machine: its connection does, without a proxy, and its `Host` is a loopback name. Both are
 * needed: anybody can send the name, and a foreign page can make a browser here open the connection (DNS rebinding).
 */
export function isHere({
  headers,
  socket,
}: Pick<FastifyRequest, 'headers'> & { socket: { remoteAddress?: string | undefined } }): boolean {
  const isNear = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
  const host = URL.parse(`http://${headers.host ?? ''}`)
  const isForwarded = Object.keys(headers).some((name) => /^(forwarded|via|x-forwarded-.*|x-real-ip)$/.test(name))
  return isNear && !isForwarded && host !== null && isLoopback(host.hostname)
}

/**
 * Shows the mails that the demo writes as files. They hold links that log in, so the page opens only from this machine and with
 * the key: behind a proxy that adds no header every request seems to come from this machine.
 */
export function serveDemoMailbox(app: FastifyInstance, config: Config, keyring: Keyring) {
  const key = keyOf(keyring)
  app.get(page.demoMail, { schema: { hide: true } }, async (request, reply) => {
    if (!isHere(request)) return reply.callNotFound()
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').type('text/html; charset=utf-8')
    if (!bringsKey(request, key)) return reply.status(403).send(closedMailbox(config.festival).markup)
    reply.header('set-cookie', `${cookieName}=${key}; Path=${page.demoMail}; HttpOnly; SameSite=Strict`)
    const mails = await listStoredMails(join(config.dataDir, 'mail'), newest)
    return reply.send(mailbox(mails, config.festival).markup)
  })
  app.get(lookPath, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(look),
  )
  for (const { path, file } of faces)
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .type('font/woff2')
        .header('cache-control', 'no-cache')
        .send(await readFile(new URL(`../../brand/fonts/${file}`, import.meta.url))),
    )
}

function mailbox(mails: StoredMail[], festival: Config['festival']): Html {
  const intro = html`<a href="${page.home}">${festival.name}</a> sends no mail here. These are the last ${newest} it
    would have sent, the newest first; this page exists on this machine only.`
  const articles = mails.map(
    (mail) =>
      html`<article>
        <h2>${mail.subject}</h2>
        <p>To ${mail.to}, <time datetime="${mail.at}">${when(mail.at, festival.zone)}</time></p>
        <pre>${linked(withoutHeading(mail))}</pre>
      </article>`,
  )
  return mailboxPage(
    festival,
    intro,
    articles.length > 0 ? articles : [html`<p>No mail yet. It takes a second or two.</p>`],
  )
}

function closedMailbox(festival: Config['festival']): Html {
  const intro = html`<a href="${page.home}">${festival.name}</a> sends no mail here. What it would have sent holds links
    to accounts, so this page opens with a key.`
  const where = html`<p>
    Open the address that the start of the server has printed in its terminal or log, in the line “Demo mailbox”. From
    then on the links of the site lead there in this browser, too.
  </p>`
  return mailboxPage(festival, intro, [where])
}

function mailboxPage(festival: Config['festival'], intro: Html, content: Html[]): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Demo mailbox – ${festival.name}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${lookPath}" />
      </head>
      <body>
        <header>
          <div>
            <h1>Demo mailbox</h1>
            <p>${intro}</p>
          </div>
        </header>
        <main>${content}</main>
      </body>
    </html>`
}

/** The text without its headline, which repeats the subject. */
function withoutHeading({ subject, text }: StoredMail): string {
  const plain = (part: string) => part.replace(/\s+/g, ' ').trim()
  const parts = text.split(/\n{2,}/)
  const heading = parts.findIndex((part) => plain(part) === plain(subject))
  return parts.filter((_, index) => index !== heading).join('\n\n')
}

function when(at: string, zone: string): string {
  return dateFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(Date.parse(at))
}

function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
}
