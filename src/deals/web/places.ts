import type { NearbyBusiness } from '../../businesses/contract.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { Place } from '../../map/web/overlay.ts'
import type { PlaceSpot, VenueSpot } from './map-spots.ts'
import type { MapDeal, OnMap } from './use-map-deals.ts'

/** As far as it is drawn. */
export type MerchantAt = Position & { business_id: string; business_name: string }

/** A pin with what lies under it. */
export interface PlaceOnMap extends Place {
  /** Of deals, merchants, venues and useful places. */
  ids: string[]
  deals: MapDeal[]
  merchants: MerchantAt[]
  venues: VenueSpot[]
  spots: PlaceSpot[]
}

const urgency = { ending: 0, now: 1, later: 2 }

/**
 * Everything at one coordinate (to about a metre) becomes one pin: a star where a deal there is premium, a house where
 * there are merchants alone, a glyph where there are none either. Its number counts deals, venues and useful places, and
 * merchants where there are no deals, as a deal's merchant is no other thing. So a number tells what a tap opens, and what
 * deals cover is not lost. The merchant whose card is open is always there, also as one of those that the server has gathered.
 */
export function placesOf(
  pins: OnMap,
  {
    merchants: listed,
    events,
    places: spots,
  }: { merchants: NearbyBusiness[]; events: VenueSpot[]; places: PlaceSpot[] },
  chosen: MerchantAt | null = null,
): PlaceOnMap[] {
  const places = new Map<string, PlaceOnMap>()
  const at = ({ latitude, longitude }: Position): PlaceOnMap => {
    const key = `${latitude.toFixed(5)},${longitude.toFixed(5)}`
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
    // of several it looks like the one that can be had the soonest
    if (place.time === undefined || urgency[deal.time] < urgency[place.time]) {
      place.category = deal.category
      place.time = deal.time
    }
  }
  // gathered merchants are drawn already, so those of the list would stand twice
  const single: MerchantAt[] = pins.merchants.length > 0 || pins.merchantHeaps.length > 0 ? pins.merchants : listed
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
