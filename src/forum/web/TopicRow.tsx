import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { forumPage, topicPage } from '../../site-map.ts'
import { RoleBadge } from './AuthorLine.tsx'
import type { Topic } from '../contract.ts'
import { ForumGlyph } from './ForumGlyph.tsx'

/** A topic in a list. `unread`: number of posts that the reader has not read. */
export function TopicRow({
  topic,
  unread,
  hideCategory = false,
}: {
  topic: Topic
  unread: number
  hideCategory?: boolean
}) {
  const t = useTranslations('forum')
  const when = useWhen()
  const replies = Math.max(0, topic.post_count - 1)
  const ofWideScreens = replies > 0 ? 'max-sm:hidden' : undefined
  const name = (author: Topic['last_author']) => author?.name ?? t('deletedUser')
  return (
    <article className="group/card relative grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-b-2 border-hair py-3">
      <ForumGlyph category={topic.category} className="row-span-2 size-10" />
      <h3 className="text-lg leading-tight font-bold [overflow-wrap:anywhere]" lang={topic.lang}>
        <a
          href={topicPage(topic.topic_id)}
          className="text-ink no-underline decoration-action decoration-3 underline-offset-4 group-hover/card:underline after:absolute after:inset-0"
        >
          {topic.title}
        </a>
      </h3>
      <div className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {topic.is_pinned && <Badge tone="lantern">{t('pinned')}</Badge>}
        {topic.solved_number !== null && <Badge tone="moss">{t('solved')}</Badge>}
        {topic.is_locked && <Badge>{t('locked')}</Badge>}
        {unread > 0 && <Badge tone="coral">{t('unread', { n: unread })}</Badge>}
        <p className="meta text-sm text-ink-soft wrap-anywhere">
          {!hideCategory && (
            <a
              href={forumPage(topic.category)}
              className="target relative font-semibold text-ink-soft no-underline hover:underline"
            >
              {t(`category.${topic.category}`)}
            </a>
          )}
          <span className="font-semibold">{t('replies', { n: replies })}</span>
          <span className={ofWideScreens}>
            {t('startedBy', { name: name(topic.author) })} <RoleBadge role={topic.author.role} />
          </span>
          {replies > 0 && (
            <span className={ofWideScreens}>
              {t('lastBy', { when: when.time(topic.last_post_at), name: name(topic.last_author) })}
            </span>
          )}
          {/* on phones alone, where the line has no place for names */}
          <time dateTime={topic.last_post_at} className={replies > 0 ? 'sm:hidden' : undefined}>
            {when.rowTime(topic.last_post_at)}
          </time>
          {topic.tags.map((tag) => (
            <span key={tag} className="max-sm:hidden">
              #{tag}
            </span>
          ))}
        </p>
      </div>
    </article>
  )
}
