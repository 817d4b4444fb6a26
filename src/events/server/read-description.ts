import { readMarkdown, withMentionsOf } from '../../kit/server/markdown.ts'
import type { Piece } from '../../kit/shared/rich-text.ts'

/** A description in Markdown as elements. Imported ones may hold HTML tags, which are dropped, and @names, which stay text. */
export function readDescription(markdown: string): Piece[] {
  return withMentionsOf(readMarkdown(markdown, 'dropped').content, new Set())
}
