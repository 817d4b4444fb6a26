import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { outbox } from '../../kit/browser/outbox.ts'
import { useOutbox } from '../../kit/browser/use-outbox.ts'
import { discardPost, waitingPosts } from './unsent-posts.ts'

/** What was posted here without a network, until the server has it. `topicId` null: new topics. */
export function UnsentPosts({ topicId }: { topicId: string | null }) {
  const t = useTranslations('forumWrite')
  useOutbox(outbox.all, none)
  const waiting = waitingPosts(topicId)
  if (waiting.length === 0) return null
  return (
    <Notice kind="offline" title={t('unsent', { n: waiting.length })}>
      <ul className="grid gap-2">
        {waiting.map((post) => (
          <li key={post.key} className="flex flex-wrap items-center gap-x-3">
            <span className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">
              {topicId === null ? post.data.title : post.data.body}
            </span>
            <Button variant="quiet" onClick={() => discardPost(post)}>
              {t('discard')}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
const none: ReturnType<typeof outbox.all> = []
