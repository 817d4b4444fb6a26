import startPage from 'inline:app/boot/start-page.ts'
import { escapeHtml } from '../../kit/server/mail-html.ts'

const moduleScript = /<script([^>]*) type="module"/
const preload = '<link rel="modulepreload"'

/**
 * The rendered page with its module script and preload links under types that browsers ignore, until `start-page.ts` wakes them.
 * A page without the router's script stays as it is.
 *
 * @param texts files of texts, preloaded because scripts would ask for them one round trip later
 * @param next scripts of the next screens, fetched when the browser is idle
 * @param old text shown when this browser is too old to start the page
 * @param atOnce starts without waiting for the first paint
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
