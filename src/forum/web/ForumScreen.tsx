import { ArrowLeft, ArrowRight, PenLine, Rss } from 'lucide-react'
import { data, Form, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { categoryFill } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask } from '../../kit/browser/asking.ts'
import { late } from '../../kit/browser/late.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { breadcrumbs, itemList } from '../../kit/browser/structured-data.ts'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { Tabs } from '../../kit/browser/ui/Segments.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { forumFeed, forumPage, newTopicPage, page, topicPage } from '../../site-map.ts'
import type { ForumCategory } from '../contract.ts'
import { listForumCategories, listTopics } from './calls.ts'
import { categoryLook, forumCategories, postLanguages } from './forum-words.ts'
import { TopicRow } from './TopicRow.tsx'
import { useMine } from './use-mine.ts'

const BarNotice = late(() => import('./BarNotice.tsx'))

/** All topics, or those of one category. */
async function load({ context, request, params }: LoaderFunctionArgs) {
  const wanted = params['category']
  const category = forumCategories.find((each) => each === wanted) ?? null
  if (wanted !== undefined && category === null) throw data(null, { status: 404 })
  const { searchParams } = new URL(request.url)
  const said = (name: string) => searchParams.get(name)?.trim() || undefined
  const [{ answer, query, faults }, categories] = await Promise.all([
    askForgivingly(context, listTopics, {
      category: category ?? undefined,
      tag: said('tag'),
      lang: said('lang'),
      open: said('open'),
      sort: said('sort'),
      after: said('after'),
      offset: said('offset'),
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

type Shown = Awaited<ReturnType<typeof load>>

export default function ForumScreen() {
  const shown = useLoaderData<typeof load>()
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
        address={pageOf(category, { ...filters, after })}
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
      <section className="river relative overflow-clip border-b-2 border-rule bg-deep">
        <div className="shell relative grid grid-cols-1 gap-5 pt-8 pb-14 md:pb-20 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-end lg:gap-x-12 lg:pt-12">
          <div className="grid gap-3">
            <h1 className={`text-paper ${category ? 'text-3xl sm:poster-type' : 'poster-type'}`}>{title}</h1>
            <p className="text-lg">{category ? t(`about.${category}`) : t('lead')}</p>
          </div>
          <search>
            <Form action={page.forumSearch} className="flex w-full" autoComplete="off">
              {category && <input type="hidden" name="category" value={category} />}
              <SearchField
                size="lg"
                name="q"
                maxLength={100}
                label={t('searchLabel')}
                button={t('search')}
                placeholder={t('searchPlaceholder')}
              />
            </Form>
          </search>
        </div>
        <WaveRule className="absolute inset-x-0 bottom-1 text-coral md:bottom-4" />
      </section>

      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-12">
        <Categories {...shown} />
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
            {category !== 'announcements' || mine?.is_staff ? (
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
          <Filters {...shown} />
          {topics.length > 0 ? (
            <ul>
              {topics.map((topic) => {
                const read = readTo.get(topic.topic_id)
                const unread = read && read.mode !== 'mute' ? Math.max(0, topic.last_number - read.read_to) : 0
                return (
                  <li key={topic.topic_id} className="drawn-when-near [--drawn-height:7rem]">
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
    </>
  )
}

const pageOf = (category: ForumCategory | null, query: Record<string, string | undefined>) =>
  category ? forumPage(category, query) : forumPage(null, query)

/** On phones a line that scrolls, beside the list a column. */
function Categories({ category: current, categories }: Shown) {
  const t = useTranslations('forum')
  const counts = new Map(categories.map((each) => [each.category, each.topic_count]))
  return (
    <nav aria-label={t('categories')} className="-m-2 overflow-x-auto p-2 lg:overflow-visible">
      <ul className="flex gap-2 lg:sticky lg:top-24 lg:grid lg:gap-1">
        {([null, ...forumCategories] as const).map((category) => (
          <li key={category ?? 'all'} className="shrink-0">
            <a
              href={forumPage(category)}
              aria-current={category === current ? 'page' : undefined}
              className="flex min-h-11 items-center gap-2.5 rounded-6 border-2 border-hair px-2.5 font-semibold whitespace-nowrap text-ink no-underline hover:border-ink aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-page lg:border-transparent"
            >
              {category && (
                <span className={`grid size-7 place-items-center rounded-6 ${categoryFill[categoryLook[category]]}`}>
                  <CategoryGlyph category={categoryLook[category]} className="size-4.5" />
                </span>
              )}
              <span className="flex-1">{category ? t(`category.${category}`) : t('all')}</span>
              {category && <span className="figure text-sm opacity-80">{counts.get(category) ?? 0}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Filters({ category, filters }: Shown) {
  const t = useTranslations('forum')
  const to = (more: Record<string, string | undefined>) => pageOf(category, { ...filters, ...more })
  return (
    <div className="grid grid-cols-1 gap-3">
      <Tabs
        label={t('sort')}
        segments={[
          {
            key: 'latest',
            href: to({ sort: undefined, open: undefined }),
            label: t('latest'),
            current: filters.sort !== 'new' && !filters.open,
          },
          {
            key: 'new',
            href: to({ sort: 'new', open: undefined }),
            label: t('newest'),
            current: filters.sort === 'new',
          },
          { key: 'open', href: to({ sort: undefined, open: 'true' }), label: t('unsolved'), current: !!filters.open },
        ]}
      />
      <nav aria-label={t('language')} className="-m-2 overflow-x-auto p-2">
        <ul className="flex w-fit gap-1">
          {([undefined, ...postLanguages] as const).map((lang) => (
            <li key={lang ?? 'any'}>
              <a
                href={to({ lang })}
                lang={lang}
                aria-current={filters.lang === lang ? 'true' : undefined}
                className="inline-flex min-h-11 items-center rounded-6 px-3 text-sm whitespace-nowrap font-semibold text-ink-soft no-underline hover:bg-well aria-[current]:bg-well aria-[current]:text-ink"
              >
                {lang ? t(`lang.${lang}`) : t('anyLanguage')}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

function Pages({ category, filters, next, isFirst }: Shown) {
  const t = useTranslations('forum')
  if (!next && isFirst) return null
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center gap-3">
      {!isFirst && (
        <ButtonLink href={pageOf(category, filters)} icon={<ArrowLeft aria-hidden="true" className="size-5" />}>
          {t('all')}
        </ButtonLink>
      )}
      {next && (
        <ButtonLink rel="next" href={pageOf(category, { ...filters, after: next })}>
          {t('next')}
          <ArrowRight aria-hidden="true" className="size-5" />
        </ButtonLink>
      )}
    </nav>
  )
}
