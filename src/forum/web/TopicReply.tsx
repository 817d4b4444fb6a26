import type { Ref } from 'react'
import { useTranslations } from 'use-intl'
import { late } from '../../kit/browser/late.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { loginPageWithNext, page, topicPage } from '../../site-map.ts'
import type { Post, Topic } from '../contract.ts'

/** For who is logged in. */
const ReplyForm = late(() => import('./ReplyForm.tsx'))

/** The form of a reply, or what stands in its place where nobody can write. */
export function TopicReply({
  topic,
  posts,
  isGuest,
  area,
  onSent,
}: {
  topic: Topic
  /** Those on the page that others wrote. */
  posts: Post[]
  isGuest: boolean
  area: Ref<HTMLTextAreaElement>
  onSent: (post: Post) => void
}) {
  const t = useTranslations('forumTopic')
  if (topic.state === 'waiting') return <Notice>{t('waitingTopic')}</Notice>
  if (topic.state !== 'visible') return null
  return (
    <section id="reply" aria-labelledby="reply-title" className="grid scroll-mt-24 gap-3 border-t-2 border-rule pt-5">
      <h2 id="reply-title" className="text-xl">
        {t('reply')}
      </h2>
      {topic.is_locked ? (
        <Notice>{t('lockedNote')}</Notice>
      ) : isGuest ? (
        <Notice
          action={
            <ButtonLink href={loginPageWithNext(page.userLogin, topicPage(topic.topic_id))} variant="primary">
              {t('login')}
            </ButtonLink>
          }
        >
          {t('loginToPost')}
        </Notice>
      ) : (
        <ReplyForm topicId={topic.topic_id} title={topic.title} posts={posts} areaRef={area} onSent={onSent} />
      )}
    </section>
  )
}
