import type { ReactNode } from 'react'
import { postPlace } from '../../site-map.ts'
import type { ForumCategory } from '../limits.ts'
import { ForumTag } from './ForumGlyph.tsx'

/** A post in a list of several topics. `lang`: its language, where known. */
export function FoundPost({
  post,
  lang,
  children,
}: {
  post: { topic_id: string; post_number: number; title: string; category: ForumCategory; excerpt: string }
  lang?: string
  /** Beside the category: who wrote it, and when. */
  children: ReactNode
}) {
  return (
    <article className="group/card relative grid gap-1.5 border-b-2 border-hair py-4">
      <h3 className="text-lg leading-tight font-bold [overflow-wrap:anywhere]" lang={lang}>
        <a
          href={postPlace(post.topic_id, post.post_number)}
          className="text-ink no-underline decoration-action decoration-3 underline-offset-4 group-hover/card:underline after:absolute after:inset-0"
        >
          {post.title}
        </a>
      </h3>
      <p className="overflow-clip [overflow-wrap:anywhere] [unicode-bidi:isolate]" lang={lang}>
        {post.excerpt}
      </p>
      <p className="meta text-sm text-ink-soft wrap-anywhere">
        <ForumTag category={post.category} />
        <span>{children}</span>
      </p>
    </article>
  )
}
