import { useTranslations } from 'use-intl'
import { toCategory } from '../../brand/category.ts'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { businessPage, dealPage, eventPage, page, posterImage } from '../../site-map.ts'
import type { Favorite } from '../contract.ts'

/** Something saved: what it is, whether one can have it now, and the way to it. */
export function FavoriteCard({ favorite }: { favorite: Favorite }) {
  const t = useTranslations('favorites')
  const when = useWhen()
  const { kind, id, name, by, state, starts_at, live_deals } = favorite
  const text =
    kind === 'business'
      ? t('dealsNow', { n: live_deals ?? 0 })
      : state === 'starts' && starts_at
        ? t('starts', { time: when.moment(starts_at) })
        : t(state)
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
      {by && <p className="line-clamp-2 text-sm text-ink-soft [overflow-wrap:anywhere]">{by}</p>}
      <p className="mt-auto">
        <OpenState state={state === 'live' ? 'open' : state === 'starts' ? 'soon' : 'closed'}>{text}</OpenState>
      </p>
    </Card>
  )
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
