import { memo, useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react'
import { ArrowLeft, ArrowRight, Map, MapPin } from 'lucide-react'
import { useLoaderData, useNavigate, useNavigation, useRevalidator, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask, pageContext } from '../../kit/browser/asking.ts'
import { distance } from '../../kit/browser/measures.ts'
import { oldAfterMs, onReturn } from '../../kit/browser/on-return.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { PrintedHead } from '../../kit/browser/ui/PrintedHead.tsx'
import { CardSkeletons } from '../../kit/browser/ui/Skeleton.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { itemList } from '../../kit/browser/structured-data.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { distanceKm } from '../../kit/shared/geo.ts'
import { mapIntent } from '../../map/web/load-engine.ts'
import { businessesPage, dealPage, dealsPage, page, eventsPage } from '../../site-map.ts'
import { withDistance } from './with-distance.ts'
import {
  dealsWith,
  defaultRadius,
  knownAddress,
  queryNames,
  radiusChoices,
  withoutPlace,
  type DealQuery,
} from './deal-query.ts'
import { cardDeal, DealCard } from './DealCard.tsx'
import { DealFilters, isOn } from './DealFilters.tsx'
import { findNext } from './find-next.ts'
import { NextDeal } from './NextDeal.tsx'
import type { Refused } from './position.ts'
import { listDeals, searchDeals } from './calls.ts'
import { listBusinesses } from '../../businesses/web/calls.ts'
import { countEvents } from '../../events/web/count-events.ts'

const pageSize = 24

/** All live deals; with a place in the address those around it, with their distance. */
async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const said = Object.fromEntries(
    queryNames.map((name) => [name, searchParams.get(name)?.trim() || undefined]),
  ) as DealQuery
  const { near, ...asked } = said
  const { festival } = context.get(pageContext)
  if (near === 'centre') Object.assign(asked, { lat: String(festival.latitude), lon: String(festival.longitude) })
  const paging = {
    limit: asked.limit ?? String(pageSize),
    after: searchParams.get('after') || undefined,
    offset: searchParams.get('offset') || undefined,
  }

  const wanted = { ...asked, ...paging }
  const nearby = isNear(asked) ? await askForgivingly(context, searchDeals, wanted) : null
  // a place that cannot be read is no place
  const found = nearby && isNear(nearby.query) ? nearby : null
  const { lat: _, lon: __, radius: ___, ...everywhere } = wanted
  const listed = found ?? (await askForgivingly(context, listDeals, { ...everywhere, sort: everywhere.sort ?? 'best' }))

  const { lat, lon } = listed.query
  const around = lat && lon ? { latitude: Number(lat), longitude: Number(lon) } : festival

  const kept: DealQuery = {}
  for (const name of queryNames) {
    if (name === 'near') {
      if (near === 'centre') kept.near = near
    } else if (said[name] !== undefined && listed.query[name] !== undefined) kept[name] = listed.query[name]
  }
  if (kept.near) {
    delete kept.lat
    delete kept.lon
  }
  const { q, after, offset } = listed.query
  // who typed the name of a merchant is led there
  const merchants =
    q && listed.answer.body.length === 0 ? await ask(context, listBusinesses, { query: { q, limit: '1' } }) : null
  const isFirst = after === undefined && offset === undefined
  const narrows = isOn(listed.query['openNow']) || found !== null
  const isEmpty = isFirst && listed.answer.body.length === 0
  const nextUp = isEmpty && narrows ? await findNext(context, listed.query, around) : null
  // the words may be those of a concert
  const events = q && isFirst ? await ask(context, countEvents, { query: { q, limit: '1' } }) : null
  const pageNumber = Math.max(1, Math.min(9999, Math.trunc(Number(searchParams.get('page'))) || 1))
  return {
    deals: found
      ? found.answer.body.map((deal) => cardDeal(withDistance(deal, around)))
      : listed.answer.body.map((deal) => cardDeal(deal)),
    total: listed.answer.total ?? listed.answer.body.length,
    isCapped: listed.answer.totalCapped,
    isGuessed: listed.answer.guessed,
    next: listed.answer.next,
    query: kept,
    isNear: found !== null,
    faults: { ...nearby?.faults, ...listed.faults },
    perPage: Number(listed.query['limit'] ?? pageSize),
    pageNumber,
    isFirst,
    nextUp,
    merchants: merchants?.answer?.total ?? 0,
    isMany: merchants?.answer?.totalCapped,
    events: events?.answer?.total ?? 0,
    km: found && kept.lat ? distanceKm(festival, { latitude: +kept.lat, longitude: +kept.lon! }) : 0,
    address: knownAddress(kept, isFirst ? {} : { after, offset, page: String(pageNumber) }),
    staleSince: null as string | null,
  }
}

const otherTownKm = 20

async function loadInBrowser(args: LoaderFunctionArgs) {
  try {
    return await load(args)
  } catch (error) {
    // no answer: the list stays as it is
    if (lastShown && isWithoutAnswer(error)) return { ...lastShown.data, staleSince: lastShown.at }
    throw error
  }
}
export { load as loader, loadInBrowser as clientLoader }

type Shown = Awaited<ReturnType<typeof load>>
let lastShown: { data: Shown; at: string } | null = null

export default function DealsScreen() {
  return <Deals shown={useLoaderData<typeof load>()} />
}

/** Remembered, as the router says each of its steps to whoever reads from it: a wait leaves the page as it is. */
const Deals = memo(function Deals({ shown }: { shown: Shown }) {
  const { deals, query, isNear, faults, staleSince } = shown
  const t = useTranslations('dealList')
  const [refused, setRefused] = useState<Refused | null>(null)
  const count = useFocusKept(query)
  const guess = shown.isGuessed && deals.length > 0 && t('guessed', { typed: query.q ?? '' })
  useEffect(() => {
    if (!staleSince) lastShown = { data: shown, at: new Date().toISOString() }
  }, [shown, staleSince])
  const otherFaults = Object.entries(faults).filter(
    ([name]) => !['q', 'category', ...(isNear ? ['radius'] : []), 'sort'].includes(name),
  )

  return (
    <>
      <PageHead
        title={t('title')}
        description={t('description')}
        address={shown.address}
        hidden={!!query.q}
        kind="CollectionPage"
        data={
          import.meta.env.SSR
            ? (site) =>
                itemList(
                  site,
                  deals.map((deal) => dealPage(deal.deal_id)),
                )
            : undefined
        }
      />
      <section className="river relative overflow-clip border-b-2 border-rule bg-deep">
        <div className="shell relative grid grid-cols-1 gap-2 pt-3 pb-3 sm:gap-5 sm:pt-8 sm:pb-14 md:pb-20 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-end lg:gap-x-12 lg:pt-12">
          <h1 className="text-2xl text-paper sm:poster-type">{t('headline')}</h1>
          <DealFilters query={query} isNear={isNear} faults={faults} onRefused={setRefused} />
        </div>
        <WaveRule className="absolute inset-x-0 bottom-1 text-coral max-sm:hidden md:bottom-4" />
      </section>

      <div className="shell grid grid-cols-1 gap-3 py-3 sm:gap-5 sm:py-6 md:py-10 print:py-0">
        <Printed path={shown.address} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <output ref={count} tabIndex={-1} className="figure text-xl">
            {shown.isCapped ? t('moreThan', { n: shown.total }) : t('count', { n: shown.total })}
            {guess && <span className="sr-only">. {guess}</span>}
          </output>
          {isNarrowed({ ...query, isNear }) && (
            <a href={page.deals} className="link mr-auto inline-flex min-h-11 items-center font-semibold print-hidden">
              {t('clearAll')}
            </a>
          )}
          <ButtonLink
            href={`${page.dealsMap}${dealsWith({ ...query, sort: undefined, limit: undefined }, {}).slice(page.deals.length)}`}
            icon={<Map aria-hidden="true" className="size-5" />}
            {...mapIntent}
          >
            {t('showOnMap')}
          </ButtonLink>
        </div>
        {shown.events > 0 && (
          <p>
            <a href={eventsPage({ q: query.q })} className="link inline-flex min-h-11 items-center font-semibold">
              {t('eventsNamed', { n: shown.events })}
            </a>
          </p>
        )}
        {guess && (
          <p aria-hidden="true" className="text-ink-soft">
            {guess}
          </p>
        )}
        {staleSince && <Stale since={staleSince} />}
        <Renewed shown={shown} />
        {shown.km > otherTownKm && <p>{t('far', { distance: distance(shown.km) })}</p>}
        {shown.isFirst && query.lat && deals[0]?.distance_km === null && (
          <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            {t('noneNear', { km: query.radius ?? defaultRadius })}
            <ButtonLink href={dealsWith(query, { ...withoutPlace, near: 'centre' })}>{t('aroundFestival')}</ButtonLink>
          </p>
        )}
        {isNear && query.near && (
          <output className="flex items-start gap-2 text-sm text-ink-soft">
            <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span>
              {t(refused === 'unknown' ? 'positionRefused' : 'fromCentre')}{' '}
              {refused === 'denied' && t('positionDenied')}
            </span>
          </output>
        )}
        {otherFaults.length > 0 && (
          <Notice kind="warn" title={t('dropped')}>
            <ul>
              {otherFaults.map(([name, text]) => (
                <li key={name}>
                  <span className="font-semibold">{t.has(`field.${name}`) ? t(`field.${name}`) : name}:</span> {text}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <Waiting count={deals.length}>
          {deals.length > 0 ? <Cards deals={deals} /> : <NothingFound {...shown} />}
        </Waiting>
        <Pages {...shown} />
      </div>
    </>
  )
})

function Printed({ path }: { path: string }) {
  const t = useTranslations('dealList')
  const when = useWhen()
  const now = new Date(when.now).toISOString()
  return <PrintedHead path={path} date={t('printed', { day: when.day(now), time: when.clock(now) })} />
}

const againMs = 15_000

/** The list is an older one than was asked for: asked again when the network is back, by hand, and now and then. */
function Stale({ since }: { since: string }) {
  const t = useTranslations('dealList')
  const when = useWhen()
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const again = () => void navigate(location.pathname + location.search, { replace: true, preventScrollReset: true })
  useEffect(() => {
    // who is on the way to another page is not called back
    if (isLeaving) return
    addEventListener('online', again)
    const timer = setTimeout(again, againMs)
    return () => {
      removeEventListener('online', again)
      clearTimeout(timer)
    }
  })
  return (
    <Notice kind="offline" action={<Button onClick={again}>{t('again')}</Button>}>
      {t('stale', { time: when.clock(since) })}
    </Notice>
  )
}

/** Who comes back to a list that has grown old gets today's, in place; without an answer it stays, and says its age. */
function Renewed({ shown }: { shown: Shown }) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const since = Date.now()
    return onReturn(() => Date.now() - since > oldAfterMs && void revalidate())
  }, [shown, revalidate])
  return null
}

/** Skeletons in the place of the list while a wait for other filters is long. */
function Waiting({ count, children }: { count: number; children: ReactNode }) {
  const t = useTranslations('dealList')
  return useLongWait() ? (
    <div className={grid}>
      <CardSkeletons count={Math.min(8, Math.max(4, count))} label={t('loading')} />
    </div>
  ) : (
    children
  )
}

/** As many as a screen shows at most. */
const cardsAtOnce = 8

/** After a change of filters the cards that are seen are painted first; the others follow when that is done. */
function Cards({ deals }: { deals: Shown['deals'] }) {
  const isPainted = useDeferredValue(deals) === deals
  return (
    <ul className={`${grid} prints-as-list`}>
      {(isPainted ? deals : deals.slice(0, cardsAtOnce)).map((deal, index) => (
        <li key={deal.deal_id} className="drawn-when-near min-w-0">
          <DealCard deal={deal} eager={index === 0} headingLevel="h2" />
        </li>
      ))}
    </ul>
  )
}

const grid = 'grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3 xl:grid-cols-4'

function Pages({ query, next, isFirst, pageNumber, perPage, deals }: Shown) {
  const t = useTranslations('dealList')
  if (isFirst && !next) return null
  const previousOffset = (pageNumber - 2) * perPage
  const canStepBack = !isFirst && pageNumber > 2 && previousOffset <= 1000
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center justify-center gap-3 pt-4">
      {!isFirst && (
        <ButtonLink
          rel="prev"
          href={
            canStepBack ? dealsPage({ ...query, offset: previousOffset, page: pageNumber - 1 }) : dealsWith(query, {})
          }
          icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        >
          {canStepBack || pageNumber === 2 ? t('previous') : t('first')}
        </ButtonLink>
      )}
      {!isFirst && pageNumber > 1 && <span className="figure px-1">{t('pageNumber', { n: pageNumber })}</span>}
      {next && deals.length > 0 && (
        <ButtonLink rel="next" href={dealsPage({ ...query, after: next, page: isFirst ? 2 : pageNumber + 1 })}>
          {t('next')}
          <ArrowRight aria-hidden="true" className="size-5" />
        </ButtonLink>
      )}
    </nav>
  )
}

/** Says what to do next: the nearest ways out of a search that found nothing. */
function NothingFound({ query, isNear, isFirst, merchants, isMany, nextUp }: Shown) {
  const t = useTranslations('dealList')
  const name = useTranslations('categories')
  const radius = query.radius ?? defaultRadius
  const wider = radiusChoices.find((km) => Number(km) > Number(radius))
  const known =
    query.category && /^[a-z]+$/.test(query.category) && name.has(query.category)
      ? name(query.category)
      : query.category
  const ways = [
    merchants > 0 && {
      label: t(isMany ? 'manyMerchantsNamed' : 'merchantsNamed', { n: merchants }),
      href: businessesPage({ q: query.q }),
    },
    !isFirst && { label: t('first'), href: dealsWith(query, {}) },
    isOn(query.openNow) && { label: t('alsoClosed'), href: dealsWith(query, { openNow: null }) },
    isNear && wider && { label: t('widen', { km: wider }), href: dealsWith(query, { radius: wider }) },
    isNear && !wider && { label: t('everywhere'), href: dealsWith(query, withoutPlace) },
    query.category &&
      query.q && { label: t('notOnly', { category: known ?? '' }), href: dealsWith(query, { category: null }) },
  ].filter((each) => !!each)
  const narrowed = isNarrowed({ ...query, isNear })
  return (
    <EmptyState
      title={narrowed ? t('nothing') : t('noneYet')}
      action={
        <p className="flex flex-wrap justify-center gap-3">
          {ways.slice(0, 2).map((way, index) => (
            <ButtonLink key={way.href} href={way.href} variant={index === 0 ? 'primary' : 'secondary'}>
              {way.label}
            </ButtonLink>
          ))}
          {narrowed ? (
            <ButtonLink href={page.deals} variant={ways.length === 0 ? 'primary' : 'secondary'}>
              {t('allDeals')}
            </ButtonLink>
          ) : (
            <ButtonLink href={page.businesses} variant="primary">
              {t('toMerchants')}
            </ButtonLink>
          )}
        </p>
      }
    >
      {nextUp && <NextDeal deal={nextUp} />}
      <p className="[overflow-wrap:anywhere]">
        {narrowed ? (query.q ? t('nothingFor', { q: query.q }) : t('nothingText')) : t('noneYetText')}
      </p>
    </EmptyState>
  )
}

const isNarrowed = ({ q, category, openNow, isNear }: DealQuery & { isNear: boolean }) =>
  !!(q || category || isOn(openNow) || isNear)

function isNear(query: { lat?: string; lon?: string; radius?: string }): boolean {
  return (query.lat !== undefined && query.lon !== undefined) || query.radius !== undefined
}

function isWithoutAnswer(error: unknown): boolean {
  const status = (error as { data?: { status?: number } } | null)?.data?.status
  return status !== undefined && (status === 0 || status >= 500)
}

const patienceMs = 250

/** A wait for other filters that has become long enough to show. */
function useLongWait(): boolean {
  const { state, location } = useNavigation()
  const isWaiting = state === 'loading' && location.pathname === page.deals
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLong(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isWaiting])
  return isWaiting && isLong
}

/** Where a removed filter had the focus, the count takes it: it says what has become of the list. */
function useFocusKept(query: DealQuery) {
  const count = useRef<HTMLOutputElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) count.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [query])
  return count
}
