import 'texts:forum,topicsAbout'
import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { newTopicPage } from '../../site-map.ts'
import type { Topic } from '../contract.ts'
import { TopicRow } from './TopicRow.tsx'

/** Topics about an event, and a link to begin one. */
export default function TopicsAbout({ eventId, topics }: { eventId: string; topics: Topic[] }) {
  const t = useTranslations('topicsAbout')
  return (
    <section aria-labelledby="talk" className="grid grid-cols-1 gap-3 print-hidden">
      <h2 id="talk">{t('title')}</h2>
      {topics.length === 0 && <p className="text-ink-soft">{t('none')}</p>}
      <ul>
        {topics.map((topic) => (
          <li key={topic.topic_id}>
            <TopicRow topic={topic} unread={0} />
          </li>
        ))}
      </ul>
      <p>
        <ButtonLink
          href={newTopicPage({ event: eventId, category: 'line-up' })}
          icon={<MessageSquarePlus aria-hidden="true" className="size-5" />}
        >
          {t('begin')}
        </ButtonLink>
      </p>
    </section>
  )
}
