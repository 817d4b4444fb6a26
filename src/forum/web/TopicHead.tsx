import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ThingTitle } from '../../kit/browser/ui/Page.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { forumPage, page, postPlace } from '../../site-map.ts'
import type { Topic } from '../contract.ts'
import { ForumTag } from './ForumGlyph.tsx'

export function TopicHead({ topic }: { topic: Topic }) {
  const t = useTranslations('forumTopic')
  const forum = useTranslations('forum')
  const when = useWhen()
  return (
    <header className="@container grid grid-cols-1 gap-3">
      <Breadcrumb
        label={forum('way')}
        crumbs={[
          { label: forum('title'), href: page.forum },
          { label: forum(`category.${topic.category}`), href: forumPage(topic.category) },
        ]}
      />
      <p className="flex flex-wrap items-center gap-2">
        <ForumTag category={topic.category} />
        {topic.is_pinned && <Badge tone="lantern">{forum('pinned')}</Badge>}
        {topic.solved_number !== null && <Badge tone="moss">{forum('solved')}</Badge>}
        {topic.is_locked && <Badge>{forum('locked')}</Badge>}
        {topic.state === 'waiting' && <Badge>{forum('waiting')}</Badge>}
      </p>
      <ThingTitle lang={topic.lang}>{topic.title}</ThingTitle>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
        <span>{t.rich('by', { name: topic.author.name ?? forum('deletedUser') })}</span>
        <time dateTime={topic.created_at}>{when.rowTime(topic.created_at)}</time>
        <span>{forum('replies', { n: Math.max(0, topic.post_count - 1) })}</span>
        {topic.solved_number !== null && (
          <a href={postPlace(topic.topic_id, topic.solved_number)} className="link font-semibold">
            {t('toSolution')}
          </a>
        )}
      </p>
      {topic.tags.length > 0 && (
        <ul aria-label={forum('tag', { tag: '' })} className="flex flex-wrap gap-2">
          {topic.tags.map((tag) => (
            <li key={tag}>
              <a
                href={forumPage(null, { tag })}
                className="link inline-flex min-h-11 items-center text-sm font-semibold"
              >
                #{tag}
              </a>
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}
