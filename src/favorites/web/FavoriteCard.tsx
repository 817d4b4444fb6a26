import MapPin from 'lucide-react/icons/map-pin'
import Tag from 'lucide-react/icons/tag'
import { useTranslations } from 'use-intl'
import { toCategory } from '../../brand/category.ts'
import type { DealValue } from '../../deals/contract.ts'
import { useDealWhen } from '../../deals/web/deal-when.ts'
import { DealPrice } from '../../deals/web/DealPrice.tsx'
import { DealRating } from '../../deals/web/DealRating.tsx'
import { useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { businessPage, dealPage, eventPage, page, posterImage } from '../../site-map.ts'
import type { Favorite } from '../contract.ts'

type Times = NonNullable<Favorite['times']>

/** A saved deal, merchant or performer: name, whether it is available now, and its link. */
export function FavoriteCard({ favorite }: { favorite: Favorite }) {
  const { kind, id, name, by, state, times, value } = favorite
  return (
    <Card
      layout="row"
      className="h-full"
      picture={
        <>
          <CardPicture src={pictureOf(favorite)} />
          <SaveSlot kind={kind} id={id} name={name} />
        </>
      }
    >
      <h3 className="line-clamp-3 text-lg leading-tight font-bold [overflow-wrap:anywhere]">
        <CardLink href={addressOf(favorite)}>{name}</CardLink>
      </h3>
      <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
        {by && <span className="line-clamp-2 [overflow-wrap:anywhere]">{by}</span>}
        {value && <WayTo value={value} />}
      </p>
      <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-0.5">
        {kind === 'business' ? (
          <DealsOf merchant={favorite} />
        ) : times ? (
          <DealTime times={times} />
        ) : (
          <State of={favorite} />
        )}
        {value && <DealRating deal={value} />}
      </p>
      {value && state !== 'ended' && (
        <p className="pt-1">
          <DealPrice deal={value} />
        </p>
      )}
    </Card>
  )
}

/** How far it is; nothing for a deal without a place. */
function WayTo({ value }: { value: DealValue }) {
  const way = useHereAndNow().way(value)
  if (!way) return null
  return (
    <span className="inline-flex items-center gap-1 font-semibold">
      <MapPin aria-hidden="true" className="size-4 shrink-0" />
      <WayText way={way} />
    </span>
  )
}

/** The number of live deals of a merchant, without a state: perhaps none can be used right now. */
function DealsOf({ merchant: { live_deals } }: { merchant: Favorite }) {
  const t = useTranslations('favorites')
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm font-semibold ${live_deals ? '' : 'text-ink-soft'}`}>
      <Tag aria-hidden="true" className="size-4" />
      {t('deals', { n: live_deals ?? 0 })}
    </span>
  )
}

/** When the deal can be used, as on every deal card. */
function DealTime({ times }: { times: Times }) {
  const { state, text } = useDealWhen(times)
  return <OpenState state={state}>{text}</OpenState>
}

/** The state of performers, of past deals, and of lists that an older version stored. */
function State({ of: { state, starts_at } }: { of: Favorite }) {
  const t = useTranslations('favorites')
  const when = useWhen()
  const text = state === 'starts' && starts_at ? t('starts', { time: when.moment(starts_at, true) }) : t(state)
  return <OpenState state={state === 'live' ? 'open' : state === 'starts' ? 'soon' : 'closed'}>{text}</OpenState>
}

function pictureOf({ kind, id, name, category, image_url }: Favorite): string {
  if (image_url) return image_url
  const ofKind = kind === 'performer' ? 'event' : kind
  return posterImage(ofKind, { id, category: kind === 'performer' ? category : toCategory(category), title: name })
}

function addressOf({ kind, id, event_id }: Favorite): string {
  if (kind === 'deal') return dealPage(id)
  if (kind === 'business') return businessPage(id)
  return event_id ? eventPage(event_id) : page.events
}
