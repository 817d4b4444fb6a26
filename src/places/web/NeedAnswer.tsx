import 'texts:needs'
import Phone from 'lucide-react/icons/phone'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { Directions } from '../../map/web/Directions.tsx'
import { dealsMapPage, forumPage, page } from '../../site-map.ts'
import type { UsefulPlace } from '../contract.ts'
import type { Need } from '../needs.ts'
import type { NeedFound } from './load-need.ts'

const mostShown = 3

/** Emergency numbers in Switzerland. */
const numbers: Partial<Record<Need, readonly ('112' | '117' | '118' | '144')[]>> = {
  first_aid: ['144', '112'],
  help: ['112', '144', '117', '118'],
  police: ['117', '112'],
}

/** The answer to a need, above all results: the nearest places that are open, numbers to call, and where to read on. */
export default function NeedAnswer({ found: { need, places } }: { found: NeedFound }) {
  const t = useTranslations('needs')
  const nearest = useNearest(places)
  const link = 'link inline-flex min-h-11 items-center font-semibold'
  return (
    <section aria-labelledby="need" className="grid gap-3 rounded-6 border-2 border-ink bg-surface p-4">
      <h2 id="need" className="text-xl">
        {t(`title.${need}`)}
      </h2>
      {t.has(`text.${need}`) && <p>{t(`text.${need}`)}</p>}
      {numbers[need] && (
        <ul className="grid max-w-xl grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-2">
          {numbers[need].map((number) => (
            <li key={number}>
              <a
                href={`tel:${number}`}
                className="flex min-h-11 items-center justify-center gap-2 rounded-6 border-2 border-rule px-2 font-semibold text-ink no-underline hover:border-ink"
              >
                <Phone aria-hidden="true" className="size-5" />
                <span className="figure">{number}</span> {t(`number.${number}`)}
              </a>
            </li>
          ))}
        </ul>
      )}
      {nearest.length > 0 && (
        <ul className="divide-y-2 divide-rule">
          {nearest.map((place) => (
            <Place key={place.place_id} place={place} />
          ))}
        </ul>
      )}
      <p className="flex flex-wrap gap-x-6">
        {places.length > 0 && (
          <a href={dealsMapPage({ layers: 'places' })} className={link}>
            {t('onMap')}
          </a>
        )}
        {need === 'lost' && (
          <a href={forumPage('lost-found')} className={link}>
            {t('lostFound')}
          </a>
        )}
        {need === 'tram' && (
          <a href="https://www.sbb.ch" rel="noreferrer" className={link}>
            {t('timetable')}
          </a>
        )}
        <a href={`${page.help}#need`} className={link}>
          {t('chapter')}
        </a>
      </p>
    </section>
  )
}

/** The nearest first, those that are closed now last. */
function useNearest(places: UsefulPlace[]) {
  const { way } = useHereAndNow()
  const when = useWhen()
  const isClosed = (place: UsefulPlace) => Number(when.opening(place).state === 'closed')
  return places
    .toSorted((one, other) => isClosed(one) - isClosed(other) || (way(one)?.km ?? 0) - (way(other)?.km ?? 0))
    .slice(0, mostShown)
}

function Place({ place }: { place: UsefulPlace }) {
  const t = useTranslations('needs')
  const when = useWhen()
  const way = useHereAndNow().way(place)
  const name = place.place_name || t(`title.${place.kind}`)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
        <h3 className="text-base [overflow-wrap:anywhere]">{name}</h3>
        {way && (
          <p className="text-sm text-ink-soft">
            <WayText way={way} />
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          {place.open_now !== null && (
            <OpenState state={when.opening(place).state}>{when.opening(place).text}</OpenState>
          )}
          {place.step_free && place.kind !== 'step_free' && <Badge>{t('stepFree')}</Badge>}
          {place.note && <span className="text-ink-soft [overflow-wrap:anywhere]">{place.note}</span>}
        </p>
      </div>
      <Directions to={place} name={name}>
        {t('directions')}
      </Directions>
    </li>
  )
}
