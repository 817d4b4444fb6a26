import { z } from 'zod'

/** A part of a rich text: plain text, or an element with its parts. The list of elements is closed: users cannot create any other. */
export type Piece = string | { e: Element; c?: Piece[]; href?: string; start?: number }
export type Element =
  'p' | 'heading' | 'em' | 'strong' | 'code' | 'pre' | 'quote' | 'ul' | 'ol' | 'li' | 'a' | 'mention' | 'br' | 'hr'

/** @param most characters of its Markdown: each makes one piece at most */
export const richText = (most: number) =>
  z.array(z.unknown()).meta({
    maxItems: most,
    description: 'the text as elements; a string is plain text',
    pieces: true,
  }) as unknown as z.ZodType<Piece[]>

/**
 * A rich text for programs that show no markup: paragraphs with an empty line between them, "• " before the items of a list or their
 * numbers, links as "text (address)".
 */
export function plainText(content: readonly Piece[]): string {
  return content
    .map(plainPiece)
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function plainPiece(piece: Piece): string {
  if (typeof piece === 'string') return piece
  const { e, c = [], href = '', start = 1 } = piece
  if (e === 'br') return '\n'
  if (e === 'hr') return '\n\n'
  if (e === 'ul' || e === 'ol') {
    const marks = c.map((_, index) => (e === 'ol' ? `${start + index}. ` : '• '))
    return `\n${c.map((item, index) => `${marks[index]}${plainPiece(item).trim()}\n`).join('')}\n`
  }
  const inner = c.map(plainPiece).join('')
  if (e === 'p' || e === 'heading' || e === 'pre' || e === 'quote') return `${inner}\n\n`
  return e === 'a' && bareAddress(href) !== bareAddress(inner) ? `${inner} (${href})` : inner
}

/** An address as people write it, to compare it with the text of its link. */
const bareAddress = (address: string) => address.replace(/^(https?:\/\/|mailto:)/, '').replace(/\/$/, '')
