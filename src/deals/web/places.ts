import type { NearbyBusiness } from '../../businesses/contract.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { Place } from '../../map/web/overlay.ts'
import type { UsefulPlace } from '../../places/contract.ts'
import type { VenueSpot } from './map-spots.ts'
import type { MapDeal, MapPins } from './use-map-deals.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/** A merchant as the map draws it. */
export type MerchantAt = Position & { business_id: string; business_name: string }

/** A pin and the things under it. */
export interface PlaceOnMap extends Place {
  /** Ids of deals, merchants, venues and useful places. */
  ids: string[]
  deals: MapDeal[]
  merchants: MerchantAt[]
  venues: VenueSpot[]
  spots: UsefulPlace[]
}

const urgency = { ending: 0, now: 1, later: 2 }

/**
 * Everything at one coordinate (to about a metre) becomes one pin: a lantern with a premium deal, a house with merchants only, else a
 * glyph. Its number is what a tap opens: deals, venues and useful places, and merchants only where there are no deals, because a
 * deal and its merchant are one thing. The merchant whose card is open always has a pin, even if the server gathered it.
 */
export function placesOf(
  pins: MapPins,
  {
    merchants: listed,
    events,
    places: spots,
  }: { merchants: NearbyBusiness[]; events: VenueSpot[]; places: UsefulPlace[] },
  chosen: MerchantAt | null = null,
): PlaceOnMap[] {
  const places = new Map<string, PlaceOnMap>()
  const at = ({ latitude, longitude }: Position): PlaceOnMap => {
    const key = `${fixed(latitude, 5)},${fixed(longitude, 5)}`
    let place = places.get(key)
    if (!place) {
      place = {
        key,
        latitude,
        longitude,
        icon: 'merchant',
        count: 0,
        ids: [],
        deals: [],
        merchants: [],
        venues: [],
        spots: [],
      }
      places.set(key, place)
    }
    return place
  }
  for (const deal of pins.deals) {
    const place = at(deal)
    place.ids.push(deal.deal_id)
    place.deals.push(deal)
    place.count++
    if (deal.is_premium) place.icon = 'premium'
    else if (place.icon === 'merchant') place.icon = 'deal'
    // of several deals the pin shows the one usable soonest
    if (place.time === undefined || urgency[deal.time] < urgency[place.time]) {
      place.category = deal.category
      place.time = deal.time
    }
  }
  // merchants of the list only until the map's own have loaded: else they would be drawn twice
  const single: MerchantAt[] = pins.merchants.length > 0 || pins.merchantClusters.length > 0 ? pins.merchants : listed
  const isMissing = chosen && !single.some(({ business_id }) => business_id === chosen.business_id)
  for (const merchant of isMissing ? [...single, chosen] : single) {
    const place = at(merchant)
    place.ids.push(merchant.business_id)
    place.merchants.push(merchant)
    if (place.deals.length === 0) place.count++
  }
  for (const venue of events) {
    const place = at(venue)
    place.ids.push(venue.venue_id)
    if (place.ids.length === 1) place.look = venue.now ? 'venue-now' : 'venue-later'
    place.venues.push(venue)
    place.count++
  }
  for (const spot of spots) {
    const place = at(spot)
    place.ids.push(spot.place_id)
    if (place.ids.length === 1) place.look = spot.kind
    place.spots.push(spot)
    place.count++
  }
  return [...places.values()]
}
