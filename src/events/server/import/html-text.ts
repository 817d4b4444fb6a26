/** Letters read of a text; descriptions keep 5,000. */
const readMost = 100_000
/** Letters of a tag with its attributes. */
const tagMost = 1000

interface Options {
  /** Every tag counts, also one that HTML does not know: the text was part of an XML document. */
  everyTag?: boolean
}

/**
 * HTML as Markdown: paragraphs, headings, lists, links, bold and italics; scripts and styles are left out. In a text without tags
 * only character references are decoded, so plain text such as "a < b" or "AT&T" stays.
 */
export function markdownOfHtml(text: string, options: Options = {}): string {
  const tokens = tokensOf(text, options)
  if (tokens.every((token) => typeof token === 'string')) return decodeReferences(text)
  return markdownOf(tokens)
}

/** One line of plain text from HTML, for titles and names. */
export function plainOfHtml(text: string, options: Options = {}): string {
  if (!/[<&]/.test(text)) return text
  const words = tokensOf(text, options).map((token) =>
    typeof token === 'string' ? decodeReferences(token) : inline.has(token.name) ? '' : ' ',
  )
  return words.join('').trim()
}

interface Tag {
  name: string
  isEnd: boolean
  attributes: string
}

const inline = new Set(
  'a abbr b big cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u var'.split(' '),
)
const headings = new Set('h1 h2 h3 h4 h5 h6'.split(' '))
const blocks = new Set([
  ...headings,
  ...'address article aside blockquote center dd div dl dt fieldset figcaption figure footer form header hr iframe main nav'.split(
    ' ',
  ),
  ...'ol p pre section table tbody td tfoot th thead tr ul li body html'.split(' '),
])
/** Their content is no text. */
const silent = new Set('script style head title template noscript svg object'.split(' '))
const known = new Set([...inline, ...blocks, ...silent, 'br', 'img', 'wbr', 'meta', 'link'])

const tagPattern = /<(\/?)([a-z][a-z0-9:-]*)((?:\s|\/)(?:"[^"]*"|'[^']*'|[^"'>])*)?>/iy

/** Texts and tags in their order. What is no tag of HTML is text. */
function tokensOf(whole: string, { everyTag = false }: Options): (string | Tag)[] {
  const text = whole.length > readMost ? whole.slice(0, readMost) : whole
  const tokens: (string | Tag)[] = []
  let from = 0
  let at = text.indexOf('<')
  while (at !== -1) {
    let end = -1
    if (text.startsWith('<!--', at)) {
      const close = text.indexOf('-->', at)
      end = close === -1 ? text.length : close + 3
      tokens.push(text.slice(from, at))
    } else {
      tagPattern.lastIndex = 0
      const found = tagPattern.exec(text.slice(at, at + tagMost))
      const name = found?.[2]!.toLowerCase() ?? ''
      // "a <b and c> d" is no tag: attributes have values
      if (found && /^[\s/]*$|=/.test(found[3] ?? '') && (everyTag || known.has(name))) {
        const isEnd = found[1] === '/'
        end = at + found[0].length
        tokens.push(text.slice(from, at), { name, isEnd, attributes: found[3] ?? '' })
        if (silent.has(name) && !isEnd && !found[0].endsWith('/>')) end = endOfSilent(text, name, end)
      }
    }
    if (end !== -1) from = end
    at = text.indexOf('<', end === -1 ? at + 1 : end)
  }
  return [...tokens, text.slice(from)]
}

function endOfSilent(text: string, name: string, from: number): number {
  const found = new RegExp(`</${name}`, 'gi')
  found.lastIndex = from
  return found.exec(text)?.index ?? text.length
}

/** A piece of a paragraph, all in the same style. */
interface Run {
  text: string
  isStrong: boolean
  isEm: boolean
  href: string
}

function markdownOf(tokens: (string | Tag)[]): string {
  // without blocks, the line breaks of the text are meant
  const hasBlocks = tokens.some((token) => typeof token !== 'string' && (token.name === 'br' || blocks.has(token.name)))
  const written: { text: string; isItem: boolean }[] = []
  const lists: { isOrdered: boolean; count: number }[] = []
  let runs: Run[] = []
  let [strong, em, quote, href, prefix] = [0, 0, 0, '', '']
  const endBlock = () => {
    const isItem = lists.length > 0
    const text = paragraphOf(runs)
    runs = []
    if (text === '') return
    const indent = '   '.repeat(Math.min(9, Math.max(0, lists.length - (prefix ? 1 : 0))))
    const marked = (quote > 0 ? '> ' : '') + (prefix || '')
    written.push({ text: `${indent}${marked}${text}`, isItem })
    prefix = ''
  }
  for (const token of tokens) {
    if (typeof token === 'string') {
      const decoded = decodeReferences(token)
      const text = hasBlocks ? decoded.replace(/[ \t\r\n\f]+/g, ' ') : decoded
      if (text) runs.push({ text, isStrong: strong > 0, isEm: em > 0, href })
      continue
    }
    const { name, isEnd, attributes } = token
    const by = isEnd ? -1 : 1
    if (name === 'b' || name === 'strong') strong = Math.max(0, strong + by)
    else if (name === 'i' || name === 'em') em = Math.max(0, em + by)
    else if (name === 'a') href = isEnd ? '' : hrefOf(attributes)
    else if (name === 'br') runs.push({ text: '\n', isStrong: false, isEm: false, href: '' })
    else if (name === 'td' || name === 'th') runs.push({ text: ' ', isStrong: false, isEm: false, href: '' })
    else if (blocks.has(name)) {
      endBlock()
      if (name === 'ul' || name === 'ol') {
        if (!isEnd) lists.push({ isOrdered: name === 'ol', count: 0 })
        else lists.pop()
      } else if (name === 'li') {
        const list = lists.at(-1)
        prefix = isEnd ? '' : list?.isOrdered ? `${++list.count}. ` : '- '
        if (lists.length === 0 && !isEnd) lists.push({ isOrdered: false, count: 0 })
      } else if (name === 'blockquote') quote = Math.max(0, quote + by)
      else if (headings.has(name)) prefix = isEnd ? '' : '### '
    }
  }
  endBlock()
  return written
    .map(({ text, isItem }, n) => (n === 0 ? '' : isItem && written[n - 1]!.isItem ? '\n' : '\n\n') + text)
    .join('')
}

function paragraphOf(runs: Run[]): string {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (last && last.isStrong === run.isStrong && last.isEm === run.isEm && last.href === run.href)
      last.text += run.text
    else joined.push({ ...run })
  }
  return (
    joined
      .map(marked)
      .join('')
      .replace(/ *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .trim()
      // signs at the start of a line that Markdown would take for a heading, a quote or a list
      .replace(/^(?=[#>])/gm, '\\')
      .replace(/^(\d{1,9})(?=[.)]\s)/gm, '$1\\')
  )
}

/** Marks stand at the words: between spaces they mean nothing in Markdown. */
function marked({ text, isStrong, isEm, href }: Run): string {
  const words = text.trim()
  if (words === '' || (!isStrong && !isEm && href === '')) return escaped(text)
  const marks = `${isStrong ? '**' : ''}${isEm ? '*' : ''}`
  const shown = escaped(words).replace(/\s+/g, ' ')
  const isAddress = href !== '' && (words === href || `${words}/` === href)
  const linked = href === '' ? shown : isAddress ? href : `[${shown}](${href})`
  const [before, after] = [/^\s*/.exec(text)![0], text.slice(text.trimEnd().length)]
  return `${before}${marks}${linked}${[...marks].toReversed().join('')}${after}`
}

/** Signs of the text itself that Markdown would take for marks. */
const escaped = (text: string) =>
  text.replace(/[\\*`[\]]|<(?=[a-z/!?])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, '\\$&')

/** An address of the web; others are left out, and the words of their link stay. */
function hrefOf(attributes: string): string {
  const [, double, single, bare] = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes) ?? []
  const url = URL.parse(decodeReferences(double ?? single ?? bare ?? '').trim())
  if (!url || !/^https?:$/.test(url.protocol)) return ''
  return url.href.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
}

/** Decodes "&amp;", "&#233;" and their like, once; unknown ones stay. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,9}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(String(name)) ?? whole
    return letterOf(hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16)) ?? whole
  })
}

const windows1252 = new TextDecoder('windows-1252')

function letterOf(code: number): string | null {
  // NUL and halves of letters cannot be stored
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null
  // old exporters write numbers of Windows-1252, as browsers read them
  if (code >= 0x80 && code <= 0x9f) return windows1252.decode(Uint8Array.of(code))
  return code === 0xa0 ? ' ' : String.fromCodePoint(code)
}

/** Names of HTML 4 for U+00A0 to U+00FF, in that order. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const others =
  'quot " amp & apos \' lt < gt > OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ minus − infin ∞ asymp ≈ ne ≠ le ≤ ge ≥ starf ★ star ☆ hearts ♥ check ✓'.split(
    ' ',
  )
const named = new Map([
  ...latin1.split(' ').map((name, n): [string, string] => [name, String.fromCodePoint(0xa0 + n)]),
  ...Array.from({ length: others.length / 2 }, (_, n): [string, string] => [others[2 * n]!, others[2 * n + 1]!]),
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name): [string, string] => [name, ' ']),
  ...['shy', 'zwj', 'zwnj', 'lrm', 'rlm'].map((name): [string, string] => [name, '']),
])
