import { useEffect, useRef, type RefObject } from 'react'
import type { MapHandle } from '../../map/web/MapView.tsx'
import type { Place } from '../../map/web/overlay.ts'
import { noCard } from './deals-map-query.ts'
import type { PlaceOnMap } from './places.ts'
import type { MapAddress } from './use-map-address.ts'
import { bboxOf } from './use-map-deals.ts'

/** Opening and closing the card over the map. `open`: which card. */
export function useCardOnMap({
  open,
  places,
  map,
  go,
}: {
  open: string | null
  places: PlaceOnMap[]
  map: RefObject<MapHandle | null>
  go: MapAddress['go']
}) {
  const isClosing = useRef(false)
  const close = () => {
    isClosing.current = true
    void go(noCard)
  }
  const openBefore = useRef(open)
  // a closed card loses the focus: it returns to the item or the map, also after the browser's back button
  useEffect(() => {
    const before = openBefore.current
    openBefore.current = open
    if (open || !before) return
    const isLost = isClosing.current || document.activeElement === document.body
    isClosing.current = false
    if (!isLost) return
    // the list is rendered again only now
    const item = document.getElementById(`item-${before}`)
    if (item) item.focus()
    else map.current?.focus()
  }, [open, map])
  const pick = (picked: Place[]) => {
    const all = places.filter((place) => picked.some(({ key }) => key === place.key))
    const deals = all.flatMap((place) => place.deals)
    const merchants = all.flatMap((place) => place.merchants)
    const venues = all.flatMap((place) => place.venues)
    const spots = all.flatMap((place) => place.spots)
    const others = merchants.length + venues.length + spots.length
    if (deals.length === 1 && all.length === 1 && venues.length + spots.length === 0)
      void go({ deal: deals[0]!.deal_id })
    else if (deals.length === 0 && others === 1) {
      if (venues[0]) void go({ venue: venues[0].venue_id })
      else if (spots[0]) void go({ place: spots[0].place_id })
      else void go({ business: merchants[0]!.business_id })
    } else if (all.length > 0) void go({ at: bboxOf(all) })
  }
  return { pick, close }
}
