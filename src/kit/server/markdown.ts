import MarkdownIt, { type Token } from 'markdown-it'
import { ownPath } from '../shared/own-path.ts'
import type { Element, Piece } from '../shared/rich-text.ts'

export interface ReadText {
  content: Piece[]
  /** How many links lead away from this site. */
  links: number
  /** Where they lead, in their order. */
  addresses: string[]
  /** Handles that are mentioned, each once. */
  mentions: string[]
  /** The text without marks, for excerpts and for guessing its language. */
  plain: string
}

/** Lists and quotes within each other; what goes deeper is text. */
const nestingAtMost = 20

/** Tables and the rest of what is not listed do not exist. */
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
/** Knows tags within a text, but no blocks of HTML, whose words would be lost with their tags. */
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
 * Reads Markdown into the elements of the contract: paragraphs, headings, emphasis, code, quotes, lists, links and breaks.
 * A picture is a link to it, an address that is neither http(s) nor ours is text. It is read once, when a text is written;
 * pages only draw it.
 * @param html what becomes of HTML: `text` shows it as it was written, `dropped` leaves its tags out
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

  /** The flat tokens as a tree. */
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
        // a paragraph of a tight list is hidden: its words stand in the item itself
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

  /** Plain text with its addresses and mentions as links. */
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

/** Neighbouring texts as one. */
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

/** The sentence's own full stop or bracket is no part of an address. In one walk from the end: a pattern would begin at each stop anew. */
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

/** `content` with those mentions alone as links whose handles are in `known`; any other name would lead nowhere. */
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
