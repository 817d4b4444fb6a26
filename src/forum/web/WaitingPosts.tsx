import 'texts:forumOwn'
import { useTranslations } from 'use-intl'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { postPlace } from '../../site-map.ts'
import type { getMine } from '../contract.ts'

/** Own posts that others do not see; no list of topics leads to them. */
export default function WaitingPosts({ posts }: { posts: AnswerBody<typeof getMine>['waiting'] }) {
  const t = useTranslations('forumOwn')
  return (
    <Notice title={t(posts.every(({ state }) => state === 'waiting') ? 'waiting' : 'unseen', { n: posts.length })}>
      <ul>
        {posts.map(({ topic_id, post_number, title }) => (
          <li key={`${topic_id} ${post_number}`}>
            <a
              href={postPlace(topic_id, post_number)}
              className="link inline-flex min-h-11 items-center [overflow-wrap:anywhere]"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
