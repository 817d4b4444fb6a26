import 'texts:businesses,categories,dealList,deals,events,forum,forumSearch,saveEvent,search'
import type { ReactNode } from 'react'
import { Form, useLoaderData, type LoaderFunctionArgs } from 'react-router'
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
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { loadNeed } from '../../places/web/load-need.ts'
import Answer from '../../places/web/NeedAnswer.tsx'
import { businessesPage, dealsPage, eventsPage, forumSearchPage, page, searchPage } from '../../site-map.ts'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

/** Things of each kind; the whole list of a kind is a link. */
const most = 3
const kinds = ['deals', 'events', 'merchants', 'forum'] as const
type Kind = (typeof kinds)[number]

const isKind = (text: string | null): text is Kind => (kinds as readonly (string | null)[]).includes(text)

/** A few deals, events, merchants and posts with these words; the kind that was asked for comes first. Close matches are left out. */
async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const q = searchParams.get('q')?.trim().slice(0, 100) || undefined
  const asked = searchParams.get('first')
  const first = isKind(asked) ? asked : undefined
  if (!q) return { q, first, need: null, found: null }
  const [need, deals, events, merchants, posts] = await Promise.all([
    loadNeed(context, q),
    ask(context, listDeals, { query: { q, sort: 'best', limit: most } }),
    ask(context, listEvents, { query: { q, upcoming: true, limit: most } }),
    ask(context, listBusinesses, { query: { q, limit: most } }),
    ask(context, searchForum, { query: { q, limit: most } }),
  ])
  const totalOf = ({ answer }: { answer: { total: number | null; body: unknown[] } | null }) =>
    answer ? (answer.total ?? answer.body.length) : 0
  const isGuess = deals.answer?.guessed ?? false
  return {
    q,
    first,
    need,
    found: {
      deals: isGuess ? [] : (deals.answer?.body.slice(0, most).map(cardDeal) ?? []),
      events: events.answer?.body.slice(0, most).map(cardEvent) ?? [],
      merchants: merchants.answer?.body.slice(0, most).map((each) => ({ ...each, whereabouts: null })) ?? [],
      forum: posts.answer?.body.slice(0, most) ?? [],
      totals: {
        deals: isGuess ? 0 : totalOf(deals),
        events: totalOf(events),
        merchants: totalOf(merchants),
        forum: totalOf(posts),
      },
    },
  }
}
export { load as loader, load as clientLoader }

export default function SearchScreen() {
  const t = useTranslations('search')
  const { q, first, need, found } = useLoaderData<typeof load>()
  const order = [...(first ? [first] : []), ...kinds.filter((kind) => kind !== first)]
  const shown = order.filter((kind) => found && found[kind].length > 0)
  const listOf: Record<Kind, string> = {
    deals: dealsPage({ q }),
    events: eventsPage({ q }),
    merchants: businessesPage({ q }),
    forum: forumSearchPage({ q }),
  }
  return (
    <div className="shell grid grid-cols-1 gap-6 py-4 md:py-8">
      <PageHead title={q ? `${q} · ${t('title')}` : t('title')} address={searchPage({})} hidden />
      <h1>{t('title')}</h1>
      <search>
        <Form key={q} action={page.search} autoComplete="off" className="flex max-w-3xl">
          <SearchField size="lg" name="q" maxLength={100} label={t('label')} button={t('search')} defaultValue={q} />
          {first && <input type="hidden" name="first" value={first} />}
        </Form>
      </search>
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
            <Found kind={kind} found={found} />
            <a href={listOf[kind]} className="link inline-flex min-h-11 w-fit items-center font-semibold">
              {t(`all.${kind}`, { n: found.totals[kind] })}
            </a>
          </section>
        ))
      )}
    </div>
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
  }
}
