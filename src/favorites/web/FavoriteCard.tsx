import { useTranslations } from 'use-intl'
import { toCategory } from '../../brand/category.ts'
import { LiveDeals } from '../../businesses/web/BusinessSlots.tsx'
import type { DealValue } from '../../deals/contract.ts'
import type { CardDeal } from '../../deals/web/card-deal.ts'
import { DealCard } from '../../deals/web/DealCard.tsx'
import { useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { CardSlots } from '../../kit/browser/ui/CardSlots.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { businessPage, eventPage, page, posterImage } from '../../site-map.ts'
import type { Favorite } from '../contract.ts'

type Times = NonNullable<Favorite['times']>

/** A saved deal, merchant or performer. */
export function FavoriteCard({ favorite }: { favorite: Favorite }) {
  const t = useTranslations('favorites')
  const { kind, id, name, by, live_deals } = favorite
  if (kind === 'deal') return <SavedDeal favorite={favorite} />
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
      {kind === 'business' ? (
        // without a state: perhaps none of its deals can be used right now
        <CardSlots where={by} price={<LiveDeals>{t('deals', { n: live_deals ?? 0 })}</LiveDeals>} />
      ) : (
        <CardSlots when={<State of={favorite} />} where={by} />
      )}
    </Card>
  )
}

function SavedDeal({ favorite }: { favorite: Favorite }) {
  const way = useHereAndNow().way(favorite.value ?? {})
  const deal = dealOf(favorite)
  return <DealCard deal={way ? { ...deal, distance_km: way.km, isFromCentre: !way.isFromHere } : deal} />
}

const noValue: DealValue = {
  price: null,
  price_chf: null,
  discount: null,
  regular_price_chf: null,
  regular_price_since: null,
  rating_mean: null,
  rating_count: 0,
  latitude: null,
  longitude: null,
}

/** The times of a deal in a list that an older version stored: its state alone. */
const timesOf = ({ state, starts_at }: Favorite): Times => ({
  usable_now: state === 'live',
  usable_from: starts_at,
  usable_until: null,
  over_at: null,
  active_days: null,
  start_time: null,
  end_time: null,
  open_now: true,
  open_until: null,
  opens_at: null,
})

/** The fields of a deal's card; what is over has no price. */
function dealOf(favorite: Favorite): CardDeal {
  const { id, name, by, category, image_url, state, times, value } = favorite
  const isOver = state === 'ended'
  return {
    deal_id: id,
    deal_name: name,
    business_name: by ?? '',
    category: category as CardDeal['category'],
    image_url,
    lang: null,
    is_premium: false,
    ...(times ?? timesOf(favorite)),
    ...(isOver || !value ? noValue : value),
    ...(isOver && { status: 'expired' }),
  }
}

/** When performers play. */
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

const addressOf = ({ kind, id, event_id }: Favorite) =>
  kind === 'business' ? businessPage(id) : event_id ? eventPage(event_id) : page.events
