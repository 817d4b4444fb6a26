import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { InSight } from '../../kit/browser/forms/InSight.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { outbox } from '../../kit/browser/outbox.ts'
import { useOutbox } from '../../kit/browser/use-outbox.ts'
import { discardPost, waitingPosts } from './unsent-posts.ts'

/** Posts from this device that wait for a network. `topicId` null: new topics. */
export function UnsentPosts({ topicId }: { topicId: string | null }) {
  const t = useTranslations('forumWrite')
  useOutbox(outbox.all, none)
  const waiting = waitingPosts(topicId)
  const [atFirst] = useState(() => new Set(waiting.map(({ key }) => key)))
  if (waiting.length === 0) return null
  const textOf = ({ title, body }: { title?: string; body: string }) => (topicId === null ? title : body)
  return (
    <Notice kind="offline" title={t('unsent', { n: waiting.length })}>
      <ul className="grid gap-2">
        {waiting.map((post) => (
          <li key={post.key} className="flex flex-wrap items-center gap-x-3">
            <div className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">
              {/* on a phone the button that posted it is a screen below */}
              {atFirst.has(post.key) ? textOf(post.data) : <InSight>{textOf(post.data)}</InSight>}
            </div>
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
