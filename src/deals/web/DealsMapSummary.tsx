import { useEffect, useState, type ReactNode } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useTranslations } from 'use-intl'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { showsLayer, type MapQuery } from './deals-map-query.ts'
import type { useMapDeals } from './use-map-deals.ts'

/** Counts and notes of the result, a link back to the festival, and a button to load again. */
export function DealsMapSummary({
  query,
  result: { found, behind, again },
  notes: otherNotes,
  homeHref,
  children,
}: {
  query: MapQuery
  result: Pick<ReturnType<typeof useMapDeals>, 'found' | 'behind' | 'again'>
  /** Notes below the count, about the position and the basemap. */
  notes: (string | null)[]
  /** Link to a search around the festival; null: this search is near the festival. */
  homeHref: string | null
  /** Beside the count. */
  children: ReactNode
}) {
  const t = useTranslations('dealsMap')
  const { deals, merchants, events, places } = found
  const { time } = useWhen()
  const notes = [
    behind &&
      ('since' in behind
        ? t(behind.what === 'old' ? 'oldSince' : 'staleSince', { time: time(behind.since) })
        : t(`missing.${behind.what}`)),
    deals.isGuessed && deals.items.length > 0 && t('guessed', { typed: query.q ?? '' }),
    ...otherNotes,
  ]
  const isKnown = behind?.what !== 'everything'
  // far from the festival, only deals without a position are found: none of them is in this area, so count 0
  const isNoneHere = homeHref !== null && deals.items.every(({ distance_km }) => distance_km === null)
  const shown = (items: readonly unknown[]) => (isNoneHere ? 0 : items.length)
  /** What was found, in short, or also with how much of it the list shows. */
  const summaryOf = (inShort: boolean) =>
    [
      isKnown &&
        showsLayer(query, 'deals') &&
        t('deals', {
          n: isNoneHere ? 0 : deals.total,
          more: deals.isCapped && !isNoneHere ? 'yes' : 'no',
          shown: inShort ? 0 : shown(deals.items),
        }),
      isKnown &&
        showsLayer(query, 'merchants') &&
        t('merchants', {
          n: merchants.total,
          more: merchants.isCapped ? 'yes' : 'no',
          shown: inShort ? 0 : merchants.items.length,
        }),
      isKnown && showsLayer(query, 'events') && t('venues', { n: events.length }),
      isKnown && showsLayer(query, 'places') && t('places', { n: places.length }),
    ]
      .filter(Boolean)
      .join(' · ')
  const summary = summaryOf(false)

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p aria-hidden="true" className="figure min-w-0 flex-[1_1_9rem] py-1.5 leading-tight">
          {summaryOf(true)}
        </p>
        {children}
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
          onClick={again}
          icon={<RotateCw aria-hidden="true" className="size-5" />}
        >
          {t('since' in behind ? 'again' : 'tryAgain')}
        </Button>
      )}
      <Status text={[summary && `${summary}.`, ...notes].filter(Boolean).join(' ')} />
    </>
  )
}

/** For screen readers: announces the result once it has not changed for half a second. */
function Status({ text }: { text: string }) {
  const [announced, announce] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => announce(text), 500)
    return () => clearTimeout(timer)
  }, [text])
  return <output className="sr-only">{announced}</output>
}
