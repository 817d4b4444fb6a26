import type { NearbyBusiness } from '../../businesses/contract.ts'
import type { Place } from '../../map/web/overlay.ts'
import type { MapDeal, OnMap } from './use-map-deals.ts'

/** A pin with what lies under it. */
export interface PlaceOnMap extends Place {
  ids: string[]
  deals: MapDeal[]
  merchants: { business_id: string; business_name: string }[]
}

/** Everything at one coordinate becomes one pin; a premium deal among others makes it a star. */
export function placesOf(pins: OnMap, listed: NearbyBusiness[]): PlaceOnMap[] {
  const places = new Map<string, PlaceOnMap>()
  const at = (kind: 'd' | 'm', { latitude, longitude }: { latitude: number; longitude: number }): PlaceOnMap => {
    const key = `${kind}${latitude.toFixed(5)},${longitude.toFixed(5)}`
    let place = places.get(key)
    if (!place) {
      place = {
        key,
        latitude,
        longitude,
        icon: kind === 'd' ? 'deal' : 'merchant',
        count: 0,
        ids: [],
        deals: [],
        merchants: [],
      }
      places.set(key, place)
    }
    place.count++
    return place
  }
  for (const deal of pins.deals) {
    const place = at('d', deal)
    place.ids.push(deal.deal_id)
    place.deals.push(deal)
    if (deal.is_premium) place.icon = 'premium'
  }
  for (const merchant of pins.merchants.length > 0 ? pins.merchants : listed) {
    const place = at('m', merchant)
    place.ids.push(merchant.business_id)
    place.merchants.push(merchant)
  }
  return [...places.values()]
}
