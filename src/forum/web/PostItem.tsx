import { useState, type ReactNode } from 'react'
import CircleCheck from 'lucide-react/icons/circle-check'
import CornerDownRight from 'lucide-react/icons/corner-down-right'
import Heart from 'lucide-react/icons/heart'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { postPlace } from '../../site-map.ts'
import type { Post } from '../contract.ts'
import { AuthorName, Initial, RoleBadge } from './AuthorLine.tsx'
import { PostText } from './PostText.tsx'

/** A post; its number is its anchor on the page. */
export function PostItem({
  post,
  isSolution,
  isBlocked,
  showHistory,
  editor,
  foot,
}: {
  post: Post
  isSolution: boolean
  isBlocked: boolean
  showHistory: (post: Post) => void
  /** Replaces the text while it is edited. */
  editor: ReactNode
  /** What the reader may do with the post. */
  foot: ReactNode
}) {
  const t = useTranslations('forumTopic')
  const when = useWhen()
  const [isShown, setShown] = useState(false)
  const { post_number: number } = post
  const isGone = (post.state === 'deleted' || post.state === 'hidden') && post.content.length === 0
  const heading = `post-${number}`
  return (
    <article
      id={heading}
      aria-label={t('post', { n: number })}
      className={`grid scroll-mt-24 grid-cols-[2.75rem_minmax(0,1fr)] gap-x-3 gap-y-2 border-t-2 py-4 target:border-action sm:gap-x-4 ${isSolution ? 'border-moss' : 'border-hair'}`}
    >
      <Initial author={post.author} />
      <div className="grid grid-cols-1 content-start gap-3">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <AuthorName author={post.author} />
          <RoleBadge role={post.author.role} />
          {isSolution && (
            <Badge tone="moss" icon={<CircleCheck aria-hidden="true" className="size-4" />}>
              {t('solution')}
            </Badge>
          )}
          <span className="ml-auto flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
            {post.edited_at && !isGone && (
              <button type="button" className="target underline underline-offset-4" onClick={() => showHistory(post)}>
                {t('edited')}
              </button>
            )}
            <time dateTime={post.created_at}>{when.rowTime(post.created_at)}</time>
            <a
              href={postPlace(post.topic_id, number)}
              aria-label={t('permalink', { n: number })}
              className="target figure text-ink-soft no-underline hover:underline"
            >
              #{number}
            </a>
          </span>
        </header>
        {post.reply_to !== null && !isGone && (
          <p className="text-sm">
            <a href={postPlace(post.topic_id, post.reply_to)} className="link target inline-flex items-center gap-1">
              <CornerDownRight aria-hidden="true" className="size-4" />
              {t('inReplyTo', { n: post.reply_to })}
            </a>
          </p>
        )}
        {isGone ? (
          <p className="text-ink-soft italic">{t(post.state === 'deleted' ? 'deleted' : 'hidden')}</p>
        ) : isBlocked && !isShown ? (
          <p className="flex flex-wrap items-center gap-3 text-ink-soft">
            {t('blocked')}
            <Button variant="quiet" onClick={() => setShown(true)}>
              {t('show')}
            </Button>
          </p>
        ) : (
          (editor ?? <Text post={post} />)
        )}
        {!isGone && !editor && foot}
      </div>
    </article>
  )
}

function Text({ post }: { post: Post }) {
  const t = useTranslations('forumTopic')
  const notes = { waiting: t('waitingNote'), hidden: t('ownHidden'), rejected: t('ownRejected') }
  const note = notes[post.state as keyof typeof notes]
  return (
    <>
      {note && (
        <Notice kind="warn" title={note}>
          {post.reason && <p>{t('reason', { reason: post.reason })}</p>}
        </Notice>
      )}
      <PostText content={post.content} lang={post.lang} />
      {post.image_url && (
        <a href={post.image_url} className="block w-fit">
          <img
            src={post.image_url}
            alt={t('picture', { n: post.post_number })}
            loading="lazy"
            className="max-h-96 max-w-full rounded-6 border-2 border-rule"
          />
        </a>
      )}
    </>
  )
}

/** For guests: the number of likes. */
export function Likes({ post }: { post: Post }) {
  const t = useTranslations('forumTopic')
  if (post.like_count === 0) return null
  return (
    <p className="flex items-center gap-1.5 text-sm text-ink-soft">
      <Heart aria-hidden="true" className="size-4" />
      {t('likeCount', { n: post.like_count })}
    </p>
  )
}
