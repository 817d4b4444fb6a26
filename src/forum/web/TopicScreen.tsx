import { useRef, useState } from 'react'
import { Rss } from 'lucide-react'
import { redirect, useLoaderData, useNavigate, useRevalidator, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { Badge, CategoryTag } from '../../brand/Badge.tsx'
import { askOrFail, ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { useKnownSession, useSession } from '../../accounts/web/session.ts'
import { breadcrumbs } from '../../kit/browser/structured-data.ts'
import { headlineType } from '../../kit/browser/ui/long-words.ts'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Pagination } from '../../kit/browser/ui/Pagination.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useOnceShown } from '../../kit/browser/once-shown.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { forumPage, page, postPlace, topicFeed, topicPage } from '../../site-map.ts'
import type { Post } from '../contract.ts'
import { getMineOfTopic, getTopic, listPosts, readTopic } from './calls.ts'
import { discussionData } from './discussion-data.ts'
import { useDraft } from './draft.ts'
import { EditPost } from './EditPost.tsx'
import { categoryLook, postsPerPage } from './forum-words.ts'
import { LinkedCard, linkedOf } from './LinkedCard.tsx'
import { ModerateTopic } from './ModerateTopic.tsx'
import { PostDialogs, type PostQuestion } from './PostDialogs.tsx'
import { PostItem } from './PostItem.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { TextDialog, type TextQuestion } from './TextDialog.tsx'
import { useLiveTopic } from './use-live-topic.ts'
import { usePostActions } from './use-post-actions.ts'
import { WatchControl } from './WatchControl.tsx'

/** One page of a topic. A merged topic leads to where its posts are. */
async function load({ context, params, request }: LoaderFunctionArgs) {
  const topic_id = params['topic_id'] ?? ''
  const asked = Number(new URL(request.url).searchParams.get('page') ?? 1)
  const wanted = Number.isInteger(asked) && asked >= 1 && asked <= 100_000_000 ? asked : 1
  const { body: topic } = await askOrFail(context, getTopic, { params: { topic_id } })
  if (topic.merged) {
    const firstPost = (wanted - 1) * postsPerPage + 1 + topic.merged.by_number
    throw redirect(postPlace(topic.topic_id, firstPost), 301)
  }
  const pages = Math.max(1, Math.ceil(topic.last_number / postsPerPage))
  const [{ body: posts }, linked] = await Promise.all([
    askOrFail(context, listPosts, { params: { topic_id }, query: { page: wanted } }),
    linkedOf(context, topic),
  ])
  const { merged: _, ...shown } = topic
  return { topic: shown, posts, page: wanted, pages, linked }
}
export { load as loader, load as clientLoader }

export default function TopicScreen() {
  const { topic, posts, page: number, pages, linked } = useLoaderData<typeof load>()
  const t = useTranslations('forumTopic')
  const say = useTranslations('forum')
  const when = useWhen()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const isGuest = useSession() === 'guest'
  const mine = useAnswer(
    getMineOfTopic,
    isGuest ? null : { as: 'background', params: { topic_id: topic.topic_id }, query: { page: number } },
  )
  const toast = useToast()
  const drafting = useDraft(`topic:${topic.topic_id}`)
  const area = useRef<HTMLTextAreaElement>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const [question, setQuestion] = useState<PostQuestion | null>(null)
  const [textQuestion, setTextQuestion] = useState<TextQuestion | null>(null)
  const refresh = () => {
    mine.again()
    void revalidate()
  }
  const shown = merged(posts, mine.body?.unseen ?? [])
  const actionsOf = usePostActions({
    topic,
    mine,
    drafting,
    area,
    refresh,
    edit: setEditing,
    ask: setQuestion,
    askText: setTextQuestion,
    say: (text) => toast.show({ text }),
  })
  useLiveTopic(topic.topic_id, refresh)
  useRead(topic.topic_id, Math.min(topic.last_number, number * postsPerPage))
  const title = number > 1 ? `${topic.title} (${t('pageOf', { page: number, pages })})` : topic.title

  return (
    <div className="shell grid grid-cols-1 gap-6 py-4 md:py-8 lg:grid-cols-[minmax(0,1fr)_17rem] lg:gap-12">
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
                  { name: say('title'), path: page.forum },
                  { name: say(`category.${topic.category}`), path: forumPage(topic.category) },
                  { name: topic.title, path: topicPage(topic.topic_id) },
                ]),
              ]
            : undefined
        }
      />
      <link rel="alternate" type="application/rss+xml" title={topic.title} href={topicFeed(topic.topic_id)} />
      <div className="grid grid-cols-1 content-start gap-6">
        <header className="@container grid grid-cols-1 gap-3">
          <Breadcrumb
            label={say('way')}
            crumbs={[
              { label: say('title'), href: page.forum },
              { label: say(`category.${topic.category}`), href: forumPage(topic.category) },
            ]}
          />
          <p className="flex flex-wrap items-center gap-2">
            <CategoryTag category={categoryLook[topic.category]}>{say(`category.${topic.category}`)}</CategoryTag>
            {topic.is_pinned && <Badge tone="lantern">{say('pinned')}</Badge>}
            {topic.solved_number !== null && <Badge tone="moss">{say('solved')}</Badge>}
            {topic.is_locked && <Badge>{say('locked')}</Badge>}
            {topic.state === 'waiting' && <Badge>{say('waiting')}</Badge>}
          </p>
          <h1 lang={topic.lang} className={headlineType(topic.title)}>
            {topic.title}
          </h1>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
            <span>{t.rich('by', { name: topic.author.name ?? say('deletedUser') })}</span>
            <time dateTime={topic.created_at}>{when.time(topic.created_at)}</time>
            <span>{say('replies', { n: Math.max(0, topic.post_count - 1) })}</span>
            {topic.solved_number !== null && (
              <a href={postPlace(topic.topic_id, topic.solved_number)} className="link font-semibold">
                {t('toSolution')}
              </a>
            )}
          </p>
          {topic.tags.length > 0 && (
            <ul aria-label={say('tag', { tag: '' })} className="flex flex-wrap gap-2">
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
        {number > 1 && <PostPages {...{ topic, number, pages }} />}
        <section aria-label={t('posts')}>
          {shown.map((post) => (
            <PostItem
              key={post.post_id}
              post={post}
              isSolution={topic.solved_number === post.post_number}
              isBlocked={mine.body?.blocked.includes(post.author.member_id) ?? false}
              actions={isGuest ? null : actionsOf(post)}
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
            />
          ))}
          {shown.length === 0 && (
            <EmptyState
              title={t('emptyPage')}
              action={<ButtonLink href={topicPage(topic.topic_id)}>{t('firstPage')}</ButtonLink>}
            />
          )}
        </section>
        <PostPages {...{ topic, number, pages }} />
        <section
          id="reply"
          aria-labelledby="reply-title"
          className="grid scroll-mt-24 gap-3 border-t-2 border-rule pt-5"
        >
          <h2 id="reply-title" className="text-xl">
            {t('reply')}
          </h2>
          {topic.is_locked ? (
            <Notice>{t('lockedNote')}</Notice>
          ) : (
            <ReplyForm
              topicId={topic.topic_id}
              drafting={drafting}
              areaRef={area}
              onSent={(post) => {
                refresh()
                toast.show({ text: t(post.state === 'waiting' ? 'waitingNote' : 'saved') })
                void navigate(postPlace(topic.topic_id, post.post_number))
              }}
            />
          )}
        </section>
      </div>
      <aside className="grid content-start gap-6 lg:pt-10">
        {linked && <LinkedCard linked={linked} />}
        <ModerateTopic topic={topic} onDone={refresh} say={(text) => toast.show({ text })} />
        {!isGuest && <WatchControl topicId={topic.topic_id} mine={mine} say={(text) => toast.show({ text })} />}
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
      </aside>
      <PostDialogs
        question={question}
        onClose={() => setQuestion(null)}
        onDone={refresh}
        say={(text) => toast.show({ text })}
      />
      <TextDialog question={textQuestion} onClose={() => setTextQuestion(null)} />
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </div>
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

/** The posts that everybody sees, with those that only their author does in their places. */
function merged(posts: Post[], unseen: Post[]): Post[] {
  const own = new Map(unseen.map((post) => [post.post_number, post]))
  const numbers = new Set(posts.map((post) => post.post_number))
  return [
    ...posts.map((post) => own.get(post.post_number) ?? post),
    ...unseen.filter((post) => !numbers.has(post.post_number)),
  ].toSorted((a, b) => a.post_number - b.post_number)
}

/** Notes how far somebody has read, once the page is before their eyes. */
function useRead(topicId: string, post_number: number) {
  const session = useKnownSession()
  const isKnown = session === 'user' || session === 'business'
  useOnceShown(`${topicId} ${post_number} ${isKnown}`, () => {
    if (isKnown)
      void ask(callByFetch, readTopic, { as: 'background', params: { topic_id: topicId }, body: { post_number } })
  })
}
