import { readMarkdown, withMentionsOf } from '../../kit/server/markdown.ts'
import type { Piece } from '../../kit/shared/rich-text.ts'

/** A description as elements. Names after an @ are text, and tags are left out: programmes of others hold some. */
export function readDescription(markdown: string): Piece[] {
  return withMentionsOf(readMarkdown(markdown, 'dropped').content, new Set())
}
