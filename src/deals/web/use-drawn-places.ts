import { useMemo } from 'react'
import { isWithin } from '../../kit/shared/geo.ts'
import type { OverlayData, Place } from '../../map/web/overlay.ts'
import { readBox, type MapQuery } from './deals-map-query.ts'
import { placesOf, type MerchantAt, type PlaceOnMap } from './places.ts'
import type { MapResult, MapPins } from './use-map-deals.ts'
import type { MapMerchant } from './use-merchant.ts'
import { placeOf } from './with-distance.ts'

/** The pins and clusters to draw, and which of them is hovered or open. */
export function useDrawnPlaces({
  query,
  found,
  pins,
  merchant,
  own,
  focus,
}: {
  query: MapQuery
  found: MapResult
  pins: MapPins
  /** The merchant whose card is open. */
  merchant: MapMerchant | null
  own: OverlayData['own']
  /** Id of the list item that is hovered or focused. */
  focus: string | null
}) {
  const places = useMemo(
    () =>
      placesOf(
        pins,
        { merchants: found.merchants.items, events: found.events, places: found.places },
        merchant && placedMerchant(merchant),
      ),
    [pins, found.merchants.items, found.events, found.places, merchant],
  )
  const clusters = useMemo(
    () => [
      ...pins.clusters.map((cluster) => ({
        ...cluster,
        count: cluster.cluster,
        lanterns: cluster.premium,
        of: 'deals' as const,
      })),
      ...pins.merchantClusters.map((cluster) => ({ ...cluster, count: cluster.cluster, of: 'merchants' as const })),
    ],
    [pins.clusters, pins.merchantClusters],
  )
  const pinOf = (id: string | null | undefined): Place | null =>
    id ? (places.find((place) => place.ids.includes(id)) ?? null) : null
  const lying = useMemo(() => placesWithin(places, query.at), [places, query.at])
  const cardOf = query.deal ?? query.business ?? query.venue ?? query.place
  const data: OverlayData = useMemo(
    () => ({
      places,
      clusters,
      own,
      focus: pinOf(focus),
      chosen: lying.length === 1 ? lying[0]! : pinOf(cardOf),
    }),
    // oxlint-disable-next-line react/exhaustive-deps
    [places, clusters, own, focus, lying, cardOf],
  )
  return { places, clusters, lying, data }
}

function placesWithin(places: PlaceOnMap[], at: string | undefined): PlaceOnMap[] {
  const box = at && readBox(at)
  return box ? places.filter((place) => isWithin(place, box)) : []
}

function placedMerchant(merchant: MapMerchant): MerchantAt | null {
  const place = placeOf(merchant)
  return place && { ...place, business_id: merchant.business_id, business_name: merchant.business_name }
}
