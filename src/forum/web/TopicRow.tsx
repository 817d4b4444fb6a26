import MessageSquare from 'lucide-react/icons/message-square'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { categoryFill } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { forumPage, topicPage } from '../../site-map.ts'
import { RoleBadge } from './AuthorLine.tsx'
import type { Topic } from '../contract.ts'
import { categoryLook } from './forum-words.ts'

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
  const look = categoryLook[topic.category]
  const name = (author: Topic['last_author']) => author?.name ?? t('deletedUser')
  return (
    <article className="group/card relative grid grid-cols-[2.5rem_minmax(0,1fr)] gap-3 border-b-2 border-hair py-3 sm:grid-cols-[2.5rem_minmax(0,1fr)_auto]">
      <span className={`grid size-10 place-items-center rounded-6 border-2 border-rule ${categoryFill[look]}`}>
        <CategoryGlyph category={look} className="size-6" />
      </span>
      <div className="grid min-w-0 grid-cols-1 content-start gap-1">
        <h3 className="text-lg leading-tight font-bold [overflow-wrap:anywhere]" lang={topic.lang}>
          <a
            href={topicPage(topic.topic_id)}
            className="text-ink no-underline decoration-action decoration-3 underline-offset-4 group-hover/card:underline after:absolute after:inset-0"
          >
            {topic.title}
          </a>
        </h3>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft wrap-anywhere">
          {topic.is_pinned && <Badge tone="lantern">{t('pinned')}</Badge>}
          {topic.solved_number !== null && <Badge tone="moss">{t('solved')}</Badge>}
          {topic.is_locked && <Badge>{t('locked')}</Badge>}
          {unread > 0 && <Badge tone="coral">{t('unread', { n: unread })}</Badge>}
          {!hideCategory && (
            <a
              href={forumPage(topic.category)}
              className="target relative font-semibold text-ink-soft no-underline hover:underline"
            >
              {t(`category.${topic.category}`)}
            </a>
          )}
          <span>{t('startedBy', { name: name(topic.author) })}</span>
          <RoleBadge role={topic.author.role} />
          {topic.post_count > 1 && (
            <span>{t('lastBy', { when: when.time(topic.last_post_at), name: name(topic.last_author) })}</span>
          )}
          {topic.post_count <= 1 && <time dateTime={topic.created_at}>{when.rowTime(topic.created_at)}</time>}
          {topic.tags.map((tag) => (
            <span key={tag}>#{tag}</span>
          ))}
        </p>
      </div>
      <p className="figure col-start-2 flex items-center gap-1.5 text-lg sm:col-start-3 sm:self-center">
        <MessageSquare aria-hidden="true" className="size-5 text-ink-soft" />
        <span aria-hidden="true">{Math.max(0, topic.post_count - 1)}</span>
        <span className="sr-only">{t('replies', { n: Math.max(0, topic.post_count - 1) })}</span>
      </p>
    </article>
  )
}
