import MarkdownIt, { type Token } from 'markdown-it'
import { ownPath } from '../shared/own-path.ts'
import type { Element, Piece } from '../shared/rich-text.ts'

export interface ReadText {
  content: Piece[]
  /** Number of links to other sites. */
  links: number
  /** Addresses of these links, in their order. */
  addresses: string[]
  /** Mentioned handles, each once. */
  mentions: string[]
  /** The text without markup, for excerpts and for guessing its language. */
  plain: string
}

/** Deepest nesting of lists and quotes; deeper levels become text. */
const nestingAtMost = 20

/** Tables and everything else that is not listed stay plain text. */
const rules = [
  'blockquote',
  'list',
  'heading',
  'lheading',
  'hr',
  'fence',
  'emphasis',
  'backticks',
  'link',
  'image',
  'newline',
  'escape',
  'entity',
  'autolink',
]
const reader = new MarkdownIt('zero', { html: false, maxNesting: nestingAtMost }).enable(rules)
/** Parses HTML tags within text, but no HTML blocks: there the words would be dropped with the tags. */
const tagReader = new MarkdownIt('zero', { html: true, maxNesting: nestingAtMost }).enable([...rules, 'html_inline'])

const opened: Partial<Record<string, Element>> = {
  paragraph_open: 'p',
  heading_open: 'heading',
  blockquote_open: 'quote',
  bullet_list_open: 'ul',
  ordered_list_open: 'ol',
  list_item_open: 'li',
  em_open: 'em',
  strong_open: 'strong',
}

/**
 * Reads Markdown into the elements of `rich-text.ts`. A picture becomes a link to it; a link that is neither http(s) nor a path of this
 * site becomes text. Call it when a text is saved; pages only draw the result.
 * @param html `text` shows HTML tags as text, `dropped` removes them
 */
export function readMarkdown(text: string, html: 'text' | 'dropped' = 'text'): ReadText {
  const mentions = new Set<string>()
  const addresses: string[] = []
  const content = tree((html === 'dropped' ? tagReader : reader).parse(text, {}))
  return {
    content,
    links: addresses.length,
    addresses,
    mentions: [...mentions],
    plain: plainOf(content).replace(/\s+/g, ' ').trim(),
  }

  /** Turns flat tokens into a tree. */
  function tree(tokens: Token[]): Piece[] {
    const root: Piece[] = []
    const path: Piece[][] = [root]
    const isLink: boolean[] = []
    const add = (...pieces: Piece[]) => void path.at(-1)!.push(...pieces)
    const open = (piece: Exclude<Piece, string>) => (add(piece), path.push((piece.c = [])))
    for (const token of tokens) {
      if (token.type === 'link_open') {
        const href = safeHref(String(token.attrGet('href') ?? ''))
        isLink.push(href !== null)
        if (href === null) path.push(path.at(-1)!)
        else open({ e: 'a', href: counted(href) })
      } else if (token.nesting === 1) {
        const start = Number(token.attrGet('start') ?? 1)
        // markdown-it hides the paragraphs of tight lists: put their text into the item itself
        if (token.hidden || !opened[token.type]) path.push(path.at(-1)!)
        else open({ e: opened[token.type]!, ...(token.type === 'ordered_list_open' && start !== 1 ? { start } : {}) })
      } else if (token.nesting === -1) {
        if (token.type === 'link_close') isLink.pop()
        path.pop()
      } else if (token.type === 'inline') add(...tree(token.children ?? []))
      else if (token.type === 'text') add(...(isLink.includes(true) ? [token.content] : words(token.content)))
      else if (token.type === 'html_inline') continue
      else if (token.type === 'softbreak') add('\n')
      else if (token.type === 'hardbreak') add({ e: 'br' })
      else if (token.type === 'hr') add({ e: 'hr' })
      else if (token.type === 'code_inline') add({ e: 'code', c: [token.content] })
      else if (token.type === 'fence') add({ e: 'pre', c: [token.content.replace(/\n$/, '')] })
      else if (token.type === 'image') add(...linked(String(token.attrGet('src') ?? ''), token.content))
      else add(token.content)
    }
    return joined(root)
  }

  function counted(href: string): string {
    if (!href.startsWith('/')) addresses.push(href)
    return href
  }

  function linked(url: string, label: string): Piece[] {
    const href = safeHref(url)
    return href === null ? [label] : [{ e: 'a', href: counted(href), c: [label || url] }]
  }

  /** Turns addresses and mentions in plain text into links. */
  function words(value: string): Piece[] {
    const found: Piece[] = []
    let from = 0
    for (const match of value.matchAll(addressOrMention)) {
      const handle = match[1]?.toLowerCase().replace(/-+$/, '')
      const shown = handle === undefined ? trimmedAddress(match[0]) : match[0].slice(0, handle.length + 1)
      if (match.index > from) found.push(value.slice(from, match.index))
      if (handle === undefined) found.push(...linked(shown, shown))
      else {
        mentions.add(handle)
        found.push({ e: 'mention', href: handle, c: [shown] })
      }
      from = match.index + shown.length
    }
    if (from < value.length) found.push(value.slice(from))
    return found
  }
}

const addressOrMention = /https?:\/\/[^\s<>"]+|(?<![\p{L}\p{N}_@/.-])@([a-z0-9][a-z0-9-]{1,38})(?![a-z0-9])/giu

/** Joins neighbouring texts. */
function joined(pieces: Piece[]): Piece[] {
  const together: Piece[] = []
  for (const piece of pieces) {
    const last = together.at(-1)
    if (piece === '') continue
    if (typeof piece === 'string' && typeof last === 'string') together[together.length - 1] = last + piece
    else together.push(typeof piece === 'string' || !piece.c ? piece : Object.assign(piece, { c: joined(piece.c) }))
  }
  return together
}

/** Removes the sentence's punctuation from the end of an address. A loop, because a pattern would need quadratic time. */
function trimmedAddress(address: string): string {
  const ends = address.includes('(') ? stops : `${stops})`
  let length = address.length
  while (length > 0 && ends.includes(address[length - 1]!)) length--
  return address.slice(0, length)
}
const stops = '.,:;!?\'"*_~'

function safeHref(url: string): string | null {
  if (url.startsWith('/')) return ownPath(url)
  if (!/^https?:\/\//i.test(url)) return null
  return URL.parse(url)?.href ?? null
}

/** Turns mentions of handles that are not in `known` into text, as their links would lead nowhere. */
export function withMentionsOf(content: Piece[], known: ReadonlySet<string>): Piece[] {
  return joined(
    content.flatMap((piece): Piece[] => {
      if (typeof piece === 'string' || !piece.c) return [piece]
      if (piece.e === 'mention' && !known.has(piece.href ?? '')) return piece.c
      return [{ ...piece, c: withMentionsOf(piece.c, known) }]
    }),
  )
}

const blocks = new Set(['p', 'heading', 'pre', 'quote', 'li', 'br', 'hr'])

export function plainOf(content: Piece[]): string {
  return content
    .map((piece) => (typeof piece === 'string' ? piece : plainOf(piece.c ?? []) + (blocks.has(piece.e) ? '\n' : '')))
    .join('')
}
