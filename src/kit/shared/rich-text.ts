import { z } from 'zod'

/**
 * A part of a text as it is drawn: plain text, or an element with its parts. A closed list, so that whatever somebody
 * writes becomes one of these elements and nothing else.
 */
export type Piece = string | { e: Element; c?: Piece[]; href?: string; start?: number }
export type Element =
  'p' | 'heading' | 'em' | 'strong' | 'code' | 'pre' | 'quote' | 'ul' | 'ol' | 'li' | 'a' | 'mention' | 'br' | 'hr'

/** @param most of its Markdown, in characters: each makes one piece at most. */
export const richText = (most: number) =>
  z.array(z.unknown()).meta({
    maxItems: most,
    description: 'the text as elements; a string is plain text',
    pieces: true,
  }) as unknown as z.ZodType<Piece[]>
