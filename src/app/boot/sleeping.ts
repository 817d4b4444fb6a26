import startPage from 'inline:app/boot/start-page.ts'
import { escapeHtml } from '../../kit/server/mail-html.ts'

/** A module script, and modulepreload links, as browsers know them. */
const moduleScript = /<script([^>]*) type="module"/
const preload = '<link rel="modulepreload"'

/**
 * The page as the router has made it, but its script and preload links sleep under types that browsers do not know, until
 * `start-page.ts` wakes them. A page without the router's script is left as it is.
 *
 * @param texts files of texts, which scripts would ask for one round later
 * @param next scripts to fetch when nothing else is to do
 * @param old said where the page cannot come alive
 * @param atOnce starts without waiting for the paint
 */
export function sleeping(
  html: string,
  { nonce, texts, next, old, atOnce }: { nonce: string; texts: string[]; next: string[]; old: string; atOnce: boolean },
): string {
  if (!moduleScript.test(html)) return html
  const links = [
    ...texts.map((file) => `<link rel="later" href="/assets/${file}" nonce="${nonce}"/>`),
    ...next.map((href) => `<link rel="next-screen" href="${href}"/>`),
  ]
  const begin = atOnce ? ' data-begin="now"' : ''
  const starter = `<script nonce="${nonce}" data-old="${escapeHtml(old)}"${begin}>${startPage}</script>`
  const asleep = html.replaceAll(preload, '<link rel="later"').replace(moduleScript, '<script$1 type="later"')
  const end = asleep.lastIndexOf('</body>')
  return `${asleep.slice(0, end)}${links.join('')}${starter}${asleep.slice(end)}`
}
