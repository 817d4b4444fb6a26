import { RichText } from '../../kit/browser/ui/RichText.tsx'
import type { Piece } from '../../kit/shared/rich-text.ts'
import { memberPage } from '../../site-map.ts'

/** The text of a post; mentions link to their members. */
export function PostText({ content, lang }: { content: Piece[]; lang: string }) {
  return <RichText content={content} lang={lang} mentionPage={memberPage} />
}
