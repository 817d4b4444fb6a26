import { RichText } from '../../kit/browser/ui/RichText.tsx'
import type { Piece } from '../../kit/shared/rich-text.ts'
import { memberPage } from '../../site-map.ts'

/** A post as its elements; a mention leads to its member. */
export function PostText({ content, lang }: { content: Piece[]; lang: string }) {
  return <RichText content={content} lang={lang} mentionPage={memberPage} />
}
