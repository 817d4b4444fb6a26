import { businessesByIds } from '../../businesses/server/businesses.ts'
import { dealsByIds, type DealRoom } from '../../deals/server/deals.ts'
import { performersByIds } from '../../events/server/events.ts'
import { dealTimes, dealValue, type Deal, type DealTimes, type DealValue } from '../../deals/contract.ts'
import { pickedOf } from '../../kit/shared/thing.ts'
import type { Favorite, Kind } from '../contract.ts'

export interface Key {
  kind: Kind
  id: string
}

export const keyOf = ({ kind, id }: Key) => `${kind}:${id}`

/** The deals, merchants and performers of these keys as they are now, by key. Deleted and hidden ones are left out. */
export async function findFavorites(
  room: DealRoom,
  keys: readonly Key[],
): Promise<Map<string, Omit<Favorite, 'saved_at'>>> {
  const ids = (kind: Kind) => keys.filter((key) => key.kind === kind).map(({ id }) => id)
  const [deals, businesses, performers] = await Promise.all([
    dealsByIds(room, ids('deal')),
    businessesByIds(room, ids('business')),
    performersByIds(room, ids('performer')),
  ])
  const now = room.clock.now().epochMilliseconds
  const things: Omit<Favorite, 'saved_at'>[] = [
    ...deals.map((deal) => ({
      kind: 'deal' as const,
      id: deal.deal_id,
      name: deal.deal_name,
      by: deal.business_name,
      category: deal.category,
      image_url: deal.image_url,
      event_id: null,
      state: stateOf(deal),
      starts_at: deal.usable_from ?? deal.starts_at,
      ends_at: deal.ends_at,
      live_deals: null,
      times: timesOf(deal),
      value: pickedOf(deal, valueFields),
    })),
    ...businesses.map((business) => ({
      kind: 'business' as const,
      id: business.business_id,
      name: business.business_name,
      by: null,
      category: business.category,
      image_url: business.logo_image,
      event_id: null,
      state: business.live_deals > 0 ? ('live' as const) : ('ended' as const),
      starts_at: null,
      ends_at: null,
      live_deals: business.live_deals,
      times: null,
      value: null,
    })),
    ...performers.map(({ performer_id, performer_name, event }) => ({
      kind: 'performer' as const,
      id: performer_id,
      name: performer_name,
      by: event?.stage_name ?? null,
      category: event?.category ?? 'other',
      image_url: null,
      event_id: event?.event_id ?? null,
      state:
        event && Date.parse(event.over_at) > now
          ? Date.parse(event.starts_at) > now
            ? ('starts' as const)
            : ('live' as const)
          : ('ended' as const),
      starts_at: event?.starts_at ?? null,
      ends_at: event?.ends_at ?? null,
      live_deals: null,
      times: null,
      value: null,
    })),
  ]
  return new Map(things.map((thing) => [keyOf(thing), thing]))
}

function stateOf({ status, usable_now }: Deal): Favorite['state'] {
  if (status === 'scheduled') return 'starts'
  if (status !== 'active') return 'ended'
  return usable_now === false ? 'starts' : 'live'
}

function timesOf(deal: Deal): Favorite['times'] {
  const state = stateOf(deal)
  // opening hours unknown and not begun: screens show when it begins instead
  if (state === 'ended' || (deal.status === 'scheduled' && deal.usable_now === null)) return null
  return pickedOf(deal, timeFields)
}
const valueFields = Object.keys(dealValue.shape) as (keyof DealValue)[]
const timeFields = Object.keys(dealTimes.shape) as (keyof DealTimes)[]
