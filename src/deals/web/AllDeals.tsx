import { memo, useMemo, useEffect, useRef, useState } from 'react'
import Map from 'lucide-react/icons/map'
import { useLoaderData } from 'react-router'
import { useTranslations } from 'use-intl'
import { late, suspended } from '../../kit/browser/late.tsx'
import { useNumbers } from '../../kit/browser/measures.ts'
import { unpack } from '../../kit/browser/packed.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { PrintedHead } from '../../kit/browser/ui/PrintedHead.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { itemList } from '../../kit/browser/structured-data.ts'
import Answer from '../../places/web/NeedAnswer.tsx'
import { mapIntent } from '../../map/web/load-engine.ts'
import { dealPage, page, eventsPage, searchPage } from '../../site-map.ts'
import { dealsWith, defaultRadius, isNarrowed, withoutPlace, type DealQuery } from './deal-query.ts'
import { DealFilters } from './DealFilters.tsx'
import { Cards, Waiting } from './DealGrid.tsx'
import { DealPages } from './DealPages.tsx'
import { cacheList, type load, type loadPacked, type DealList } from './load-deals.ts'
import EmptyList from './NothingFound.tsx'
import { RefreshedOnReturn, Stale } from './OldList.tsx'
import type { PositionRefusal } from '../../kit/browser/ask-position.ts'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

/** The same: most lists have deals. */
const NothingFound = import.meta.env.SSR ? suspended(EmptyList) : late(() => import('./NothingFound.tsx'))

const otherTownKm = 20

/** The list of deals, with its filters. */
export function AllDeals() {
  const loaded = useLoaderData<typeof loadPacked | typeof load>()
  const shown = useMemo(
    () => ('packed' in loaded ? { ...loaded, deals: unpack(loaded.packed) } : loaded) as DealList,
    [loaded],
  )
  return <Deals shown={shown} />
}

/** `memo`, because the router renders its readers at each step: the page stays unchanged while loading. */
const Deals = memo(function Deals({ shown }: { shown: DealList }) {
  const { deals, query, isNear, faults, staleSince } = shown
  const t = useTranslations('dealList')
  const { distance } = useNumbers()
  const frame = useTranslations('frame')
  const [refused, setRefused] = useState<PositionRefusal | null>(null)
  const count = useFocusOfRemovedFilter(query)
  const guess = shown.isGuessed && deals.length > 0 && t('guessed', { typed: query.q ?? '' })
  useEffect(() => {
    if (!shown.isUnchanged) cacheList(shown)
  }, [shown])
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
      {/* like `ListPage`, but the filters fill the band, and the first deal is seen below them on a phone */}
      <section data-page="list" data-page-head className="river relative overflow-clip border-b-2 border-rule bg-deep">
        <div className="shell relative grid grid-cols-1 gap-2 pt-2 pb-2 sm:gap-4 sm:pt-4 sm:pb-10 md:pt-6 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-end lg:gap-x-12">
          <h1 className="text-3xl text-paper">{t('headline')}</h1>
          <DealFilters query={query} isNear={isNear} faults={faults} onRefused={setRefused} />
        </div>
        <WaveRule className="absolute inset-x-0 bottom-0 text-coral max-sm:hidden" />
      </section>

      <div className="shell grid grid-cols-1 gap-3 py-3 sm:gap-5 sm:py-5 md:py-8 print:py-0">
        <PrintedHead path={shown.address} />
        {shown.need && <NeedAnswer found={shown.need} />}
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
            href={`${page.dealsMap}${dealsWith({ ...query, sort: undefined, limit: undefined, max_price: undefined }, {}).slice(page.deals.length)}`}
            icon={<Map aria-hidden="true" className="size-5" />}
            {...mapIntent}
          >
            {t('showOnMap')}
          </ButtonLink>
        </div>
        {shown.events && (
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
        {staleSince && <Stale since={staleSince} isUnchanged={shown.isUnchanged} />}
        <RefreshedOnReturn shown={shown} />
        {shown.km > otherTownKm && <p>{t('far', { distance: distance(shown.km) })}</p>}
        {shown.isFirst && query.lat && deals[0]?.distance_km === null && (
          <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            {t('noneNear', { km: query.radius ?? defaultRadius })}
            <ButtonLink href={dealsWith(query, { ...withoutPlace, near: 'centre' })}>{t('aroundFestival')}</ButtonLink>
          </p>
        )}
        {isNear && query.near && (
          <output className="text-sm text-ink-soft">
            {t(refused === 'unknown' ? 'positionRefused' : 'fromCentre')} {refused === 'denied' && t('positionDenied')}
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
        <DealPages {...shown} />
        {query.q && (
          <p>
            <a
              href={searchPage({ q: query.q, first: 'deals' })}
              className="link inline-flex min-h-11 items-center font-semibold"
            >
              {frame('searchAll', { q: query.q })}
            </a>
          </p>
        )}
      </div>
    </>
  )
})

/** The count takes the focus of a removed filter, so that screen readers read the new result. */
function useFocusOfRemovedFilter(query: DealQuery) {
  const count = useRef<HTMLOutputElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) count.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [query])
  return count
}
