import { useEffect, useEffectEvent, useRef, useState, type PointerEvent, type ReactNode } from 'react'
import { ChevronDown, ChevronUp, MapPin, Music, RotateCw, Store } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { DealItem, MerchantItem } from './DealsMapItem.tsx'
import type { CardDeal } from './card-deal.ts'
import { mapWith, searchCentre, showsLayer, type MapQuery } from './deals-map-query.ts'
import { findNext } from './find-next.ts'
import { NextDeal } from './NextDeal.tsx'
import { PlaceItem, VenueItem } from './DealsMapSpots.tsx'
import type { Behind, Continued, Found } from './use-map-deals.ts'

type Sheet = 'peek' | 'half' | 'full'
/** Height of the sheet on phones while it lets the map be seen. */
export const sheetPx = 176
const sheets: Record<Sheet, string> = {
  peek: 'stage:h-44 noscript:stage:h-[75%]',
  half: 'stage:h-[60%]',
  full: 'stage:h-[calc(100%-1rem)]',
}

const sectionHead = 'flex items-center gap-2 border-y-2 border-hair bg-well px-4 py-2 text-base'

/**
 * The result as a list, the accessible view of the map: beside it on wide screens, a sheet over its lower edge on phones.
 * It comes before the map in the document. The open card lies over it.
 */
export function DealsMapList({
  query,
  centre,
  found,
  isUpdating,
  focus,
  onFocus,
  onMore,
  isAdding,
  failedMore,
  notes: otherNotes,
  behind,
  onAgain,
  homeHref,
  allHref,
  card,
  isStack,
}: {
  query: MapQuery
  centre: Position
  found: Found
  isUpdating: boolean
  focus: string | null
  onFocus: (id: string | null) => void
  onMore: (list: Continued) => void
  isAdding: Continued | null
  /** The list that could not be continued. */
  failedMore: Continued | null
  /** Said below the count: about the position, about the basemap. */
  notes: (string | null)[]
  /** What is not that of the address: a search has failed. */
  behind: Behind | null
  onAgain: () => void
  /** Around the festival, where the search is far from it. */
  homeHref: string | null
  allHref: string
  card: ReactNode
  /** The card is a list itself, beside which the map is to be seen. */
  isStack: boolean
}) {
  const t = useTranslations('dealsMap')
  const [sheet, setSheet] = useState<Sheet>('peek')
  const { box, ...dragged } = useDraggedSheet(setSheet)
  const { time } = useWhen()
  const { deals, merchants, events, places } = found
  const notes = [
    behind &&
      ('since' in behind
        ? t(behind.what === 'old' ? 'oldSince' : 'staleSince', { time: time(behind.since) })
        : t(`missing.${behind.what}`)),
    deals.isGuessed && deals.items.length > 0 && t('guessed', { typed: query.q ?? '' }),
    ...otherNotes,
  ]
  const showsDeals = showsLayer(query, 'deals')
  const showsMerchants = showsLayer(query, 'merchants')
  const isKnown = behind?.what !== 'everything'
  const summary = [
    isKnown &&
      showsDeals &&
      t('deals', { n: deals.total, more: deals.isCapped ? 'yes' : 'no', shown: deals.items.length }),
    isKnown &&
      showsMerchants &&
      t('merchants', { n: merchants.total, more: merchants.isCapped ? 'yes' : 'no', shown: merchants.items.length }),
    isKnown && showsLayer(query, 'events') && t('venues', { n: events.length }),
    isKnown && showsLayer(query, 'places') && t('places', { n: places.length }),
  ]
    .filter(Boolean)
    .join(' · ')
  const moreButton = (list: Continued, label: string) => (
    <div className="grid gap-2 px-4 py-4">
      {failedMore === list && (
        <p role="alert" className="text-sm text-ink-soft">
          {t('moreFailed')}
        </p>
      )}
      <Button loading={isAdding === list} onClick={() => onMore(list)}>
        {label}
      </Button>
    </div>
  )

  return (
    <section
      ref={box}
      aria-label={t('listLabel')}
      className={`flex min-h-0 flex-col bg-page transition-[height] print:static! print:h-auto! print:max-h-none! stage:absolute stage:inset-x-0 stage:bottom-0 stage:z-20 stage:rounded-t-6 stage:border-t-2 stage:border-rule ${card ? `stage:h-auto ${isStack ? 'stage:max-h-[60%]' : 'stage:max-h-[85%]'}` : sheets[sheet]}`}
    >
      <a
        href="#main-end"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-6 focus:border-2 focus:border-night focus:bg-lantern focus:px-4 focus:py-2 focus:font-semibold focus:text-on-lantern"
      >
        {t('skipMap')}
      </a>
      <div
        {...dragged}
        className={`border-b-2 border-hair px-4 py-1.5 stage:touch-none stage:select-none ${card ? 'stage:hidden' : ''}`}
      >
        <span
          aria-hidden="true"
          className="mx-auto -mb-1 block h-1 w-10 rounded-full bg-hair beside:hidden noscript:hidden print:hidden"
        />
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <p aria-hidden="true" className="figure min-w-0 flex-[1_1_9rem] py-1.5 leading-tight">
            {summary}
          </p>
          <SheetButton sheet={sheet} onChange={setSheet} />
        </div>
        {notes.map(
          (note) =>
            note && (
              <p key={note} aria-hidden="true" className="pb-1 text-sm text-ink-soft">
                {note}
              </p>
            ),
        )}
        {homeHref && (
          <ButtonLink href={homeHref} className="mb-1.5">
            {t('aroundFestival')}
          </ButtonLink>
        )}
        {behind && (
          <Button
            className="mb-1.5 noscript:hidden"
            onClick={onAgain}
            icon={<RotateCw aria-hidden="true" className="size-5" />}
          >
            {t('since' in behind ? 'again' : 'tryAgain')}
          </Button>
        )}
        <Status text={[summary && `${summary}.`, ...notes].filter(Boolean).join(' ')} />
      </div>
      {card}
      <div
        aria-busy={isUpdating || undefined}
        className={`min-h-0 flex-1 overflow-y-auto overscroll-contain pb-6 print:block! print:overflow-visible ${card ? 'hidden' : ''}`}
      >
        {showsDeals && deals.items.length > 0 && (
          <ol>
            {deals.items.map((deal) => (
              <DealItem
                key={deal.deal_id}
                id={`item-${deal.deal_id}`}
                deal={deal}
                href={mapWith(query, { deal: deal.deal_id })}
                isMarked={focus === deal.deal_id}
                onFocus={onFocus}
              />
            ))}
          </ol>
        )}
        {showsDeals && deals.next && moreButton('deals', t('more'))}
        {showsMerchants && merchants.items.length > 0 && (
          <>
            <h2 className={sectionHead}>
              <Store aria-hidden="true" className="size-5" />
              {t('layer.merchants')}
            </h2>
            <ol>
              {merchants.items.map((merchant) => (
                <MerchantItem
                  key={merchant.business_id}
                  id={`item-${merchant.business_id}`}
                  merchant={merchant}
                  href={mapWith(query, { business: merchant.business_id })}
                  isMarked={focus === merchant.business_id}
                  onFocus={onFocus}
                />
              ))}
            </ol>
            {merchants.next && moreButton('merchants', t('moreMerchants'))}
          </>
        )}
        {events.length > 0 && (
          <>
            <h2 className={sectionHead}>
              <Music aria-hidden="true" className="size-5" />
              {t('layer.events')}
            </h2>
            <ol>
              {events.map((venue) => (
                <VenueItem
                  key={venue.venue_id}
                  id={`item-${venue.venue_id}`}
                  venue={venue}
                  href={mapWith(query, { venue: venue.venue_id })}
                  isMarked={focus === venue.venue_id}
                  onFocus={onFocus}
                />
              ))}
            </ol>
          </>
        )}
        {places.length > 0 && (
          <>
            <h2 className={sectionHead}>
              <MapPin aria-hidden="true" className="size-5" />
              {t('layer.places')}
            </h2>
            <ol>
              {places.map((place) => (
                <PlaceItem
                  key={place.place_id}
                  id={`item-${place.place_id}`}
                  place={place}
                  href={mapWith(query, { place: place.place_id })}
                  isMarked={focus === place.place_id}
                  onFocus={onFocus}
                />
              ))}
            </ol>
          </>
        )}
        {isKnown && deals.items.length + merchants.items.length + events.length + places.length === 0 && (
          <div className="grid justify-items-start gap-3 px-4 py-6">
            <p className="figure text-xl">{t('nothing')}</p>
            <p className="text-ink-soft">{t('nothingText')}</p>
            {showsDeals && <NextOnMap query={query} centre={centre} />}
            <ButtonLink href={allHref}>{t('allDeals')}</ButtonLink>
          </div>
        )}
      </div>
    </section>
  )
}

/** The deal that can be used next near by, asked for where the list is empty. */
function NextOnMap({ query, centre }: { query: MapQuery; centre: Position }) {
  const from = searchCentre(query, centre)
  const asked = JSON.stringify([query.q, query.category, from])
  const [found, setFound] = useState<{ asked: string; deal: CardDeal | null } | null>(null)
  const find = useEffectEvent(() => findNext(callByFetch, query, from))
  useEffect(() => {
    let isOver = false
    // without an answer the way out is missing, and nothing else
    void find()
      .catch(() => null)
      .then((deal) => {
        if (!isOver) setFound({ asked, deal })
      })
    return () => {
      isOver = true
    }
  }, [asked])
  return found?.asked === asked && found.deal ? <NextDeal deal={found.deal} /> : null
}

/** Said once the result stands, not while it changes. */
function Status({ text }: { text: string }) {
  const [said, say] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => say(text), 500)
    return () => clearTimeout(timer)
  }, [text])
  return <output className="sr-only">{said}</output>
}

function SheetButton({ sheet, onChange }: { sheet: Sheet; onChange: (sheet: Sheet) => void }) {
  const t = useTranslations('dealsMap')
  const next: Record<Sheet, Sheet> = { peek: 'half', half: 'full', full: 'peek' }
  return (
    <button
      type="button"
      onClick={() => onChange(next[sheet])}
      className="inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-6 px-2 text-sm font-semibold hover:bg-well beside:hidden noscript:hidden"
    >
      {sheet === 'full' ? (
        <ChevronDown aria-hidden="true" className="size-5" />
      ) : (
        <ChevronUp aria-hidden="true" className="size-5" />
      )}
      {t(sheet === 'full' ? 'showMap' : 'showList')}
    </button>
  )
}

/** Less is a tap by an unsteady hand. */
const dragPx = 6

/**
 * The sheet's head follows the finger and lets the sheet go at the nearest of its three heights, or at the next one in the
 * direction of a flick. The heights are measured, as they are written in classes.
 */
function useDraggedSheet(onChange: (sheet: Sheet) => void) {
  const box = useRef<HTMLElement>(null)
  const start = useRef<{ id: number; y: number; at: number; height: number; isOn: boolean } | null>(null)
  const heights = (): [Sheet, number][] => {
    const whole = box.current!.parentElement!.clientHeight
    return [
      ['peek', sheetPx],
      ['half', whole * 0.6],
      ['full', whole - 16],
    ]
  }
  const end = ({ clientY, pointerId, timeStamp }: PointerEvent) => {
    const from = start.current
    if (!from || from.id !== pointerId) return
    start.current = null
    if (!from.isOn) return
    const element = box.current!
    // how it would go on for a fifth of a second
    const height = from.height + (from.y - clientY) * (1 + Math.min(1, 200 / Math.max(1, timeStamp - from.at)))
    element.style.height = element.style.transition = ''
    const [nearest] = heights().toSorted(([, one], [, other]) => Math.abs(one - height) - Math.abs(other - height))
    onChange(nearest![0])
  }
  return {
    box,
    onPointerDown: ({ button, isPrimary, pointerId, clientY, timeStamp, currentTarget }: PointerEvent) => {
      const element = box.current
      if (button !== 0 || !isPrimary || !element || getComputedStyle(currentTarget).touchAction !== 'none') return
      start.current = { id: pointerId, y: clientY, at: timeStamp, height: element.offsetHeight, isOn: false }
    },
    onPointerMove: ({ pointerId, clientY, currentTarget }: PointerEvent) => {
      const from = start.current
      if (!from || from.id !== pointerId) return
      if (!from.isOn && Math.abs(clientY - from.y) < dragPx) return
      if (!from.isOn) currentTarget.setPointerCapture(pointerId)
      from.isOn = true
      const element = box.current!
      const [low, , high] = heights().map(([, height]) => height) as [number, number, number]
      element.style.transition = 'none'
      element.style.height = `${Math.min(high, Math.max(low, from.height + from.y - clientY))}px`
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
