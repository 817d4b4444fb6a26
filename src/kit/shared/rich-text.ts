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
