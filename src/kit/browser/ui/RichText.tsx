import type { ReactNode } from 'react'
import type { Piece } from '../../shared/rich-text.ts'

type MentionPage = (handle: string) => string

/**
 * Draws a formatted text. The server parsed its Markdown when it was written; here it becomes elements, never HTML text. Each
 * block is isolated, so that characters that reverse the direction or pile up cannot disturb the rest of the page.
 * @param mentionPage address of a mentioned person; without it mentions are plain text
 */
export function RichText({
  content,
  lang,
  mentionPage,
}: {
  content: Piece[]
  lang?: string
  mentionPage?: MentionPage
}) {
  return (
    <div
      lang={lang}
      className="grid max-w-prose grid-cols-1 gap-3 overflow-clip [overflow-wrap:anywhere] [&_:is(p,li)]:isolate [&_:is(p,li)]:[unicode-bidi:isolate]"
    >
      {content.map((piece, index) => drawn(piece, index, mentionPage))}
    </div>
  )
}

function drawn(piece: Piece, index: number, mentionPage?: MentionPage): ReactNode {
  if (typeof piece === 'string') return piece
  const inside = piece.c?.map((each, place) => drawn(each, place, mentionPage))
  switch (piece.e) {
    case 'p':
      return (
        <p key={index} className="whitespace-pre-line">
          {inside}
        </p>
      )
    case 'heading':
      return (
        <p key={index} className="text-lg font-bold">
          {inside}
        </p>
      )
    case 'em':
      return <em key={index}>{inside}</em>
    case 'strong':
      return <strong key={index}>{inside}</strong>
    case 'code':
      return (
        <code key={index} className="rounded-6 bg-well px-1 text-[0.9em]">
          {inside}
        </code>
      )
    case 'pre':
      return (
        <pre key={index} className="rounded-6 bg-well p-3 text-sm whitespace-pre-wrap">
          {inside}
        </pre>
      )
    case 'quote':
      return (
        <blockquote key={index} className="grid gap-2 border-l-4 border-water pl-3 text-ink-soft">
          {inside}
        </blockquote>
      )
    case 'ul':
      return (
        <ul key={index} className="grid list-disc gap-1 pl-6">
          {inside}
        </ul>
      )
    case 'ol':
      return (
        <ol key={index} start={piece.start} className="grid list-decimal gap-1 pl-6">
          {inside}
        </ol>
      )
    case 'li':
      return <li key={index}>{inside}</li>
    case 'a':
      return (
        <a key={index} href={safeHref(piece.href)} rel="nofollow ugc noopener" className="link">
          {inside}
        </a>
      )
    case 'mention':
      return mentionPage ? (
        <a key={index} href={mentionPage(piece.href ?? '')} className="link font-semibold">
          {inside}
        </a>
      ) : (
        inside
      )
    case 'br':
      return <br key={index} />
    case 'hr':
      return <hr key={index} className="border-t-2 border-hair" />
  }
}

/** http, https and paths only. Our server sends nothing else, but the answer may come from another one. */
const safeHref = (href: string | undefined) => (href && /^(https?:\/\/|\/(?![/\\]))/i.test(href) ? href : undefined)
