import 'texts:forum,forumTopic'
import { Suspense, useState, type ComponentProps } from 'react'
import Rss from 'lucide-react/icons/rss'
import { useLoaderData, useRevalidator } from 'react-router'
import { useTranslations } from 'use-intl'
import { late, lazily } from '../../kit/browser/late.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { breadcrumbs } from '../../kit/browser/structured-data.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { ThingPage } from '../../kit/browser/ui/Page.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Pagination } from '../../kit/browser/ui/Pagination.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { useAnswer, type AnswerState } from '../../kit/browser/use-answer.ts'
import { isTemporary } from '../../kit/shared/refusal.ts'
import { forumPage, page, topicFeed, topicPage } from '../../site-map.ts'
import { getMineOfTopic, type Post } from '../contract.ts'
import { discussionData } from './discussion-data.ts'
import { postsPerPage } from '../limits.ts'
import type { Linked } from './linked.ts'
import LinkedCard from './LinkedCard.tsx'
import { useShownTopic, type loadTopic } from './load-topic.ts'
import type { PostFoot } from './PostFoot.tsx'
import type { PostQuestion } from './PostDialogs.tsx'
import { Likes, PostItem } from './PostItem.tsx'
import { TopicHead } from './TopicHead.tsx'
import { TopicReply } from './TopicReply.tsx'
import { useLiveTopic } from './use-live-topic.ts'
import { useReplyArea } from './use-reply-area.ts'

/** Loaded only for topics about an event or deal. The server renders it too. */
const AboutIt = import.meta.env.SSR
  ? (props: { linked: Linked }) => (
      <Suspense>
        <LinkedCard {...props} />
      </Suspense>
    )
  : late(() => import('./LinkedCard.tsx'))

/** Loaded for members, or after a click. */
const BesideTopic = late(() => import('./BesideTopic.tsx'))
const EditPost = late(() => import('./EditPost.tsx'))
const PostDialogs = late(() => import('./PostDialogs.tsx'))
const Foot = lazily<ComponentProps<typeof PostFoot>>(() =>
  import('./PostFoot.tsx').then(
    (part) => ({ default: part.PostFoot }),
    () => ({ default: Likes }),
  ),
)

export { loadTopic as loader, loadTopicAgain as clientLoader } from './load-topic.ts'

/** While the network or the server is away, the last answer for this page stays, and with it a post that is being edited. */
function useLastAnswer<Body>(state: AnswerState<Body>, page: string): AnswerState<Body> {
  const [last, setLast] = useState<{ page: string; body: Body }>()
  const { body, refused } = state
  if (body && body !== last?.body) setLast({ page, body })
  return last?.page === page && isTemporary(refused ?? {}) ? { ...state, body: last.body } : state
}

export default function TopicScreen() {
  const data = useLoaderData<typeof loadTopic>()
  const { topic, posts, page: number, pages, linked } = data
  useShownTopic(data)
  const t = useTranslations('forumTopic')
  const forum = useTranslations('forum')
  const { revalidate } = useRevalidator()
  const isGuest = useSession() === 'guest'
  const mine = useLastAnswer(
    useAnswer(
      getMineOfTopic,
      isGuest ? null : { as: 'background', params: { topic_id: topic.topic_id }, query: { page: number } },
    ),
    topic.topic_id + number,
  )
  const toast = useToast()
  const area = useReplyArea()
  const [editing, setEditing] = useState<string | null>(null)
  /** undefined: no dialog was opened yet, so their code is not loaded. */
  const [question, setQuestion] = useState<PostQuestion | null>()
  const refresh = () => {
    mine.again()
    void revalidate()
  }
  const shown = merged(posts, mine.body?.unseen ?? [])
  const say = (text: string) => toast.show({ text })
  useLiveTopic(topic.topic_id, refresh)
  // waiting and hidden topics have no replies, watchers and feed
  const isOpen = topic.state === 'visible'
  const title = number > 1 ? `${topic.title} (${t('pageOf', { page: number, pages })})` : topic.title

  return (
    <ThingPage as="div">
      <PageHead
        title={title}
        description={shown[0]?.body ?? topic.title}
        address={topicPage(topic.topic_id, number)}
        kind="ItemPage"
        data={
          import.meta.env.SSR
            ? (site) => [
                discussionData(site, topic, posts),
                breadcrumbs(site, [
                  { name: forum('title'), path: page.forum },
                  { name: forum(`category.${topic.category}`), path: forumPage(topic.category) },
                  { name: topic.title, path: topicPage(topic.topic_id) },
                ]),
              ]
            : undefined
        }
      />
      {isOpen && (
        <link rel="alternate" type="application/rss+xml" title={topic.title} href={topicFeed(topic.topic_id)} />
      )}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] lg:gap-12">
        <div className="grid grid-cols-1 content-start gap-6">
          <TopicHead topic={topic} />
          {number > 1 && <PostPages {...{ topic, number, pages }} />}
          <section aria-label={t('posts')}>
            {shown.map((post) => (
              <PostItem
                key={post.post_id}
                post={post}
                isSolution={topic.solved_number === post.post_number}
                isBlocked={mine.body?.blocked.includes(post.author.member_id) ?? false}
                showHistory={(of) => setQuestion({ kind: 'history', post: of })}
                editor={
                  editing === post.post_id ? (
                    <EditPost
                      post={post}
                      onDone={() => {
                        setEditing(null)
                        refresh()
                      }}
                      onCancel={() => setEditing(null)}
                    />
                  ) : null
                }
                foot={
                  isGuest ? (
                    <Likes post={post} />
                  ) : (
                    <Suspense fallback={<Likes post={post} />}>
                      <Foot {...{ post, topic, mine, area, refresh, say }} edit={setEditing} ask={setQuestion} />
                    </Suspense>
                  )
                }
              />
            ))}
            {shown.length === 0 && (
              <EmptyState
                title={t('emptyPage')}
                action={
                  <ButtonLink href={topicPage(topic.topic_id)} variant="primary">
                    {t('firstPage')}
                  </ButtonLink>
                }
              />
            )}
          </section>
          <PostPages {...{ topic, number, pages }} />
          <TopicReply
            topic={topic}
            posts={shown.filter(({ author }) => author.member_id !== mine.body?.member_id)}
            isGuest={isGuest}
            area={area.ref}
            onSent={(post) => {
              refresh()
              say(t(post.state === 'waiting' ? 'waitingNote' : 'posted'))
            }}
          />
        </div>
        <aside className="grid content-start gap-6 lg:pt-10">
          {linked && (
            <section aria-labelledby="linked" className="grid gap-3">
              <h2 id="linked" className="text-lg">
                {t('linked')}
              </h2>
              <AboutIt linked={linked} />
            </section>
          )}
          {!isGuest && (
            <BesideTopic
              {...{ topic, mine, say }}
              readTo={Math.min(topic.last_visible_number, number * postsPerPage)}
              onDone={refresh}
            />
          )}
          {isOpen && (
            <p>
              <a
                href={topicFeed(topic.topic_id)}
                type="application/rss+xml"
                className="link inline-flex min-h-11 items-center gap-2 text-sm font-semibold"
              >
                <Rss aria-hidden="true" className="size-4" />
                {t('feed')}
              </a>
            </p>
          )}
        </aside>
      </div>
      {question !== undefined && (
        <PostDialogs question={question} onClose={() => setQuestion(null)} onDone={refresh} say={say} />
      )}
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </ThingPage>
  )
}

function PostPages({ topic, number, pages }: { topic: { topic_id: string }; number: number; pages: number }) {
  const say = useTranslations('forum')
  return (
    <Pagination
      page={number}
      pages={pages}
      hrefFor={(each) => topicPage(topic.topic_id, each)}
      label={say('pages')}
      previous={say('previous')}
      next={say('next')}
    />
  )
}

/** Public posts, and in their places the reader's own posts that others do not see. */
function merged(posts: Post[], unseen: Post[]): Post[] {
  const own = new Map(unseen.map((post) => [post.post_number, post]))
  const numbers = new Set(posts.map((post) => post.post_number))
  return [
    ...posts.map((post) => own.get(post.post_number) ?? post),
    ...unseen.filter((post) => !numbers.has(post.post_number)),
  ].toSorted((a, b) => a.post_number - b.post_number)
}
