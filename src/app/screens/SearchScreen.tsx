import 'texts:businesses,categories,dealList,deals,events,forum,forumSearch,saveEvent,search'
import type { ReactNode } from 'react'
import { Form, redirect, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { listBusinesses } from '../../businesses/contract.ts'
import { BusinessRow } from '../../businesses/web/BusinessRow.tsx'
import { listDeals } from '../../deals/contract.ts'
import { cardDeal } from '../../deals/web/card-deal.ts'
import { DealCard } from '../../deals/web/DealCard.tsx'
import { listEvents } from '../../events/contract.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { EventItem } from '../../events/web/EventItem.tsx'
import { searchForum } from '../../forum/contract.ts'
import { FoundPost } from '../../forum/web/FoundPost.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ListPage } from '../../kit/browser/ui/Page.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { isTemporary } from '../../kit/shared/refusal.ts'
import { loadNeed } from '../../places/web/load-need.ts'
import Answer from '../../places/web/NeedAnswer.tsx'
import { businessesPage, dealsPage, eventsPage, forumSearchPage, page, searchPage } from '../../site-map.ts'
import type { FoundHelp } from './info/find-help.ts'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

/** Things of each kind; the whole list of a kind is a link. */
const most = 3
const kinds = ['deals', 'events', 'merchants', 'forum', 'help'] as const
type Kind = (typeof kinds)[number]

const isKind = (text: string | null): text is Kind => (kinds as readonly (string | null)[]).includes(text)

/**
 * A few deals, events, merchants, posts and answers of the help with these words; the kind that was asked for comes first. Deals that
 * nearly have them are shown only if nothing else is found.
 */
async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const q = searchParams.get('q')?.trim().slice(0, 100) || undefined
  const asked = searchParams.get('first')
  const first = isKind(asked) ? asked : undefined
  if (!q) return { q, first, need: null, found: null }
  const [need, deals, events, merchants, posts, help] = await Promise.all([
    loadNeed(context, q),
    ask(context, listDeals, { query: { q, sort: 'best', limit: most } }),
    ask(context, listEvents, { query: { q, upcoming: true, limit: most } }),
    ask(context, listBusinesses, { query: { q, limit: most } }),
    ask(context, searchForum, { query: { q, limit: most } }),
    helpWith(context, q),
  ])
  // without an answer the stored deals are searched on their own page
  if (!import.meta.env.SSR && deals.refused && isTemporary(deals.refused)) throw redirect(dealsPage({ q }))
  const totalOf = ({ answer }: { answer: { total: number | null; body: unknown[] } | null }) =>
    answer ? (answer.total ?? answer.body.length) : 0
  const others = {
    events: events.answer?.body.slice(0, most).map(cardEvent) ?? [],
    merchants: merchants.answer?.body.slice(0, most).map((each) => ({ ...each, whereabouts: null })) ?? [],
    forum: posts.answer?.body.slice(0, most) ?? [],
    help,
  }
  const isGuess = deals.answer?.guessed ?? false
  const isAnswered = need !== null || Object.values(others).some((list) => list.length > 0)
  const showsDeals = !isGuess || !isAnswered
  return {
    q,
    first,
    need,
    found: {
      deals: showsDeals ? (deals.answer?.body.slice(0, most).map(cardDeal) ?? []) : [],
      isGuess,
      ...others,
      totals: {
        deals: totalOf(deals),
        events: totalOf(events),
        merchants: totalOf(merchants),
        forum: totalOf(posts),
        help: help.length,
      },
    },
  }
}
export { load as loader, load as clientLoader }

/** Its texts are loaded when there are words to look for. */
const helpWith = (context: LoaderFunctionArgs['context'], q: string): Promise<FoundHelp[]> =>
  import('./info/find-help.ts').then(
    ({ findHelp }) => findHelp(context, q, most),
    () => [],
  )

export default function SearchScreen() {
  const t = useTranslations('search')
  const say = useTranslations('dealList')
  const { q, first, need, found } = useLoaderData<typeof load>()
  const order = [...(first ? [first] : []), ...kinds.filter((kind) => kind !== first)]
  const shown = order.filter((kind) => found && found[kind].length > 0)
  const listOf: Record<Kind, string> = {
    deals: dealsPage({ q }),
    events: eventsPage({ q }),
    merchants: businessesPage({ q }),
    forum: forumSearchPage({ q }),
    help: page.help,
  }
  return (
    <>
      <PageHead title={q ? `${q} · ${t('title')}` : t('title')} address={searchPage({})} hidden />
      <ListPage
        title={t('title')}
        beside={
          <search className="min-w-[min(100%,20rem)] flex-1">
            <Form key={q} action={page.search} autoComplete="off" className="flex w-full">
              <SearchField name="q" maxLength={100} label={t('label')} button={t('search')} defaultValue={q} />
              {first && <input type="hidden" name="first" value={first} />}
            </Form>
          </search>
        }
      >
        {need && <NeedAnswer found={need} />}
        {!found ? (
          <p className="text-lg text-ink-soft">{t('begin')}</p>
        ) : shown.length === 0 && !need ? (
          <EmptyState title={t('nothing')}>{t('nothingText')}</EmptyState>
        ) : (
          shown.map((kind) => (
            <section key={kind} aria-labelledby={`found-${kind}`} className="grid grid-cols-1 gap-3">
              <h2 id={`found-${kind}`} className="text-xl">
                {t(`kind.${kind}`)}
              </h2>
              {kind === 'deals' && found.isGuess && <p className="text-ink-soft">{say('guessed', { typed: q })}</p>}
              <Found kind={kind} found={found} />
              <a href={listOf[kind]} className="link inline-flex min-h-11 w-fit items-center font-semibold">
                {t(`all.${kind}`, { n: found.totals[kind] })}
              </a>
            </section>
          ))
        )}
      </ListPage>
    </>
  )
}

function Found({
  kind,
  found,
}: {
  kind: Kind
  found: NonNullable<Awaited<ReturnType<typeof load>>['found']>
}): ReactNode {
  const t = useTranslations('forumSearch')
  const forum = useTranslations('forum')
  const when = useWhen()
  switch (kind) {
    case 'deals':
      return (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {found.deals.map((deal) => (
            <li key={deal.deal_id} className="min-w-0">
              <DealCard deal={deal} />
            </li>
          ))}
        </ul>
      )
    case 'events':
      return (
        <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
          {found.events.map((event) => (
            <li key={event.event_id} className="min-w-0">
              <EventItem event={event} headingLevel="h3" />
            </li>
          ))}
        </ul>
      )
    case 'merchants':
      return (
        <ul className="grid gap-3 lg:grid-cols-2">
          {found.merchants.map((business) => (
            <li key={business.business_id}>
              <BusinessRow business={business} />
            </li>
          ))}
        </ul>
      )
    case 'forum':
      return (
        <ol>
          {found.forum.map((post) => (
            <li key={post.post_id}>
              <FoundPost post={post} lang={post.lang}>
                {t('post', {
                  n: post.post_number,
                  name: post.author.name ?? forum('deletedUser'),
                  when: when.time(post.created_at),
                })}
              </FoundPost>
            </li>
          ))}
        </ol>
      )
    case 'help':
      return (
        <ul>
          {found.help.map(({ anchor, title, excerpt }) => (
            <li key={anchor} className="group/card relative grid gap-1.5 border-b-2 border-hair py-4">
              <h3 className="text-lg leading-tight font-bold [overflow-wrap:anywhere]">
                <a
                  href={`${page.help}#${anchor}`}
                  className="text-ink no-underline decoration-action decoration-3 underline-offset-4 group-hover/card:underline after:absolute after:inset-0"
                >
                  {title}
                </a>
              </h3>
              <p className="overflow-clip [overflow-wrap:anywhere] [unicode-bidi:isolate]">{excerpt}</p>
            </li>
          ))}
        </ul>
      )
  }
}
