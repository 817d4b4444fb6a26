import 'texts:forum'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import PenLine from 'lucide-react/icons/pen-line'
import Rss from 'lucide-react/icons/rss'
import { data, Form, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask } from '../../kit/browser/ask.ts'
import { late } from '../../kit/browser/late.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { breadcrumbs, itemList } from '../../kit/browser/structured-data.ts'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { ListPage } from '../../kit/browser/ui/Page.tsx'
import { forumFeed, forumPage, newTopicPage, page, topicPage } from '../../site-map.ts'
import { listForumCategories, listTopics } from '../contract.ts'
import { forumCategories } from '../limits.ts'
import { mayBeginTopicIn } from '../policy.ts'
import { ForumCategories } from './ForumCategories.tsx'
import { ForumFilters } from './ForumFilters.tsx'
import { TopicRow } from './TopicRow.tsx'
import { useMine } from './use-mine.ts'

const BarNotice = late(() => import('./BarNotice.tsx'))
const WaitingPosts = late(() => import('./WaitingPosts.tsx'))

/** All topics, or those of one category. */
async function load({ context, request, params }: LoaderFunctionArgs) {
  const wanted = params['category']
  const category = forumCategories.find((each) => each === wanted) ?? null
  if (wanted !== undefined && category === null) throw data(null, { status: 404 })
  const { searchParams } = new URL(request.url)
  const param = (name: string) => searchParams.get(name)?.trim() || undefined
  const [{ answer, query, faults }, categories] = await Promise.all([
    askForgivingly(context, listTopics, {
      category: category ?? undefined,
      tag: param('tag'),
      lang: param('lang'),
      open: param('open'),
      sort: param('sort'),
      after: param('after'),
      offset: param('offset'),
    }),
    ask(context, listForumCategories),
  ])
  const { tag, lang, open, sort, after, offset } = query
  return {
    category,
    topics: answer.body,
    total: answer.total ?? answer.body.length,
    isCapped: answer.totalCapped,
    next: answer.next,
    categories: categories.answer?.body ?? [],
    filters: { tag, lang, open: open === 'true' ? 'true' : undefined, sort },
    isFirst: after === undefined && offset === undefined,
    after,
    faults,
  }
}
export { load as loader, load as clientLoader }

type TopicList = Awaited<ReturnType<typeof load>>

export default function ForumScreen() {
  const shown = useLoaderData<typeof load>()
  useRefreshWhenStale(shown)
  const t = useTranslations('forum')
  const { category, topics, filters, after, isFirst } = shown
  const title = category ? t(`category.${category}`) : t('title')
  const mine = useMine().body
  const readTo = new Map(mine?.read.map((read) => [read.topic_id, read]))
  return (
    <>
      <PageHead
        title={title}
        description={category ? t(`about.${category}`) : t('description')}
        address={forumPage(category, { ...filters, after })}
        hidden={!isFirst || Object.values(filters).some((value) => value !== undefined)}
        kind="CollectionPage"
        data={
          import.meta.env.SSR
            ? (site) => [
                ...itemList(
                  site,
                  topics.map((topic) => topicPage(topic.topic_id)),
                ),
                ...(category
                  ? [
                      breadcrumbs(site, [
                        { name: t('title'), path: page.forum },
                        { name: title, path: forumPage(category) },
                      ]),
                    ]
                  : []),
              ]
            : undefined
        }
      />
      <link rel="alternate" type="application/rss+xml" title={title} href={forumFeed(category)} />
      <ListPage
        title={title}
        lead={category ? t(`about.${category}`) : t('lead')}
        beside={
          <search className="min-w-[min(100%,20rem)] flex-1">
            <Form action={page.forumSearch} className="flex w-full" autoComplete="off">
              {category && <input type="hidden" name="category" value={category} />}
              <SearchField
                name="q"
                maxLength={100}
                label={t('searchLabel')}
                button={t('search')}
                placeholder={t('searchPlaceholder')}
              />
            </Form>
          </search>
        }
      >
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-12">
          <ForumCategories current={category} categories={shown.categories} />
          <section aria-label={title} className="grid grid-cols-1 content-start gap-5">
            {category && (
              <Breadcrumb label={t('way')} crumbs={[{ label: t('title'), href: page.forum }, { label: title }]} />
            )}
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
              <h2 className="text-xl">
                {filters.tag
                  ? t('tag', { tag: filters.tag })
                  : shown.isCapped
                    ? t('moreTopics', { n: shown.total })
                    : t('topicCount', { n: shown.total })}
              </h2>
              {mayBeginTopicIn(category, mine?.is_staff ?? false) ? (
                <ButtonLink
                  href={newTopicPage({ category })}
                  variant="primary"
                  icon={<PenLine aria-hidden="true" className="size-5" />}
                >
                  {t('newTopic')}
                </ButtonLink>
              ) : null}
            </div>
            {Object.keys(shown.faults).length > 0 && (
              <Notice kind="warn" title={t('dropped')}>
                <p>{Object.keys(shown.faults).join(', ')}</p>
              </Notice>
            )}
            {(mine?.banned_until || mine?.silenced_until) && <BarNotice isBanned={mine.banned_until !== null} />}
            {mine && mine.waiting.length > 0 && <WaitingPosts posts={mine.waiting} />}
            <ForumFilters category={category} filters={filters} />
            {topics.length > 0 ? (
              <ul>
                {topics.map((topic) => {
                  const read = readTo.get(topic.topic_id)
                  const unread =
                    read && read.mode !== 'mute' ? Math.max(0, topic.last_visible_number - read.read_to) : 0
                  return (
                    <li key={topic.topic_id} className="drawn-when-near [--drawn-height:5rem]">
                      <TopicRow topic={topic} unread={unread} hideCategory={category !== null} />
                    </li>
                  )
                })}
              </ul>
            ) : (
              <EmptyState level="h3" title={t('emptyTitle')}>
                {Object.values(filters).some(Boolean) ? t('emptyFiltered') : t('empty')}
              </EmptyState>
            )}
            <Pages {...shown} />
            <p>
              <a
                href={forumFeed(category)}
                className="link inline-flex min-h-11 items-center gap-2 text-sm font-semibold"
                type="application/rss+xml"
              >
                <Rss aria-hidden="true" className="size-4" />
                {t('feed')}
              </a>
            </p>
          </section>
        </div>
      </ListPage>
    </>
  )
}

function Pages({ category, filters, next, isFirst }: TopicList) {
  const t = useTranslations('forum')
  if (!next && isFirst) return null
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center gap-3">
      {!isFirst && (
        <ButtonLink href={forumPage(category, filters)} icon={<ArrowLeft aria-hidden="true" className="size-5" />}>
          {t('all')}
        </ButtonLink>
      )}
      {next && (
        <ButtonLink rel="next" href={forumPage(category, { ...filters, after: next })}>
          {t('next')}
          <ArrowRight aria-hidden="true" className="size-5" />
        </ButtonLink>
      )}
    </nav>
  )
}
