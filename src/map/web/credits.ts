import type { Credit } from '../contract.ts'

/** Credits that fit the line of the map. */
const most = 20

/**
 * Attributions of online sources, which are untrusted HTML, as plain text and http(s) links, each once:
 * `<a href="https://x.example">&copy; X</a> Survey` → `© X` with its link, and `Survey`.
 */
export function creditsIn(attributions: string[]): Credit[] {
  const found = new Map<string, Credit>()
  const add = (html: string, href?: string) => {
    const text = plain(html)
      .replace(/^[|·•,/\-\s]+|[|·•,/\-\s]+$/g, '')
      .slice(0, 300)
    // separators between links are no credits
    if (!/[\p{L}\p{N}]/u.test(text) || found.has(text)) return
    found.set(text, href && /^https?:\/\//i.test(href) ? { text, href } : { text })
  }
  for (const html of attributions) {
    let from = 0
    for (const link of html.matchAll(/<a\b([^>]*)>(.*?)<\/a\s*>/gis)) {
      add(html.slice(from, link.index))
      const [, double, single, bare] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(link[1]!) ?? []
      add(link[2]!, plain(double ?? single ?? bare ?? '').slice(0, 500))
      from = link.index + link[0].length
    }
    add(html.slice(from))
  }
  return [...found.values()].slice(0, most)
}

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
}

/** Text without tags, with entities decoded. */
function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name) return named[String(name).toLowerCase()] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : ''
    })
    .replace(/\s+/g, ' ')
    .trim()
}
