import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useNavigationType } from 'react-router'
import { useNumbers } from '../../kit/browser/measures.ts'
import { distanceKm, isWithin, type Position } from '../../kit/shared/geo.ts'
import type { Basemap, MapConfig } from '../../map/contract.ts'
import type { MapView as View } from '../../map/web/engine.ts'
import type { MapHandle } from '../../map/web/MapView.tsx'
import {
  mapStart,
  noCard,
  roundedPlace,
  searchCentre,
  searchedFrom,
  zoomToSee,
  type MapQuery,
} from './deals-map-query.ts'
import type { PositionAnswer, OwnPosition } from '../../kit/browser/ask-position.ts'
import type { MapAddress } from './use-map-address.ts'
import type { MapPins } from './use-map-deals.ts'
import type { useOwnPosition } from './use-own-position.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/**
 * The view of the map and the place that it searches. Visitors, the address and results move the map; moves by visitors go into the
 * address.
 */
export function useMapMoves({
  map,
  address: { search, query, beyond, latest, go },
  position: { own, locate, showNote, forgetView },
  centre,
  config,
  pins,
  drawn,
  basemap,
  isCardOpen,
  isNoneNear,
}: {
  map: RefObject<MapHandle | null>
  address: MapAddress
  position: ReturnType<typeof useOwnPosition>
  centre: Position
  config: MapConfig
  pins: MapPins
  drawn: { places: Position[]; clusters: Position[] }
  /** Null until it is loaded. */
  basemap: Basemap | null
  isCardOpen: boolean
  /** The search around a place found nothing there. */
  isNoneNear: boolean
}) {
  const { distance } = useNumbers()
  const wentBack = useNavigationType() === 'POP'
  const [start] = useState(() => mapStart(query, centre, config.zoom, config.bounds))
  const [view, setView] = useState<View | null>(null)

  /** Address parts that keep the search where it is while the map moves. */
  const unmovedSearch = (): Partial<MapQuery> => {
    if (latest.current.near || latest.current.bbox) return {}
    const at = searchCentre(latest.current, centre)
    return { near: distanceKm(at, centre) === 0 ? 'centre' : `${at.latitude},${at.longitude}` }
  }
  const follow = (moved: View) => {
    setView(moved)
    forgetView()
    const { latitude, longitude, zoom } = moved
    void go({ ...unmovedSearch(), lat: fixed(latitude, 5), lon: fixed(longitude, 5), z: fixed(zoom, 2) }, true)
  }
  const searchHere = (at: View) => {
    const { west, south, east, north } = at.bounds
    setSearched(at)
    void go({
      bbox: [west, south, east, north].map((side) => fixed(side, 4)).join(','),
      // distances are still from the visitor's position
      near: own && isWithin(own, config.bounds) ? roundedPlace(own) : null,
      lat: fixed(at.latitude, 5),
      lon: fixed(at.longitude, 5),
      z: fixed(at.zoom, 2),
      ...noCard,
    })
  }
  const [searched, setSearched] = useState<View | null>(null)
  const hasMoved = view !== null && searched !== null && isElsewhere(view, searched)
  /** Called for the first view and after moves by the app: the search belongs to this view. */
  const stands = (at: View) => setSearched((before) => before ?? searchedFrom(query, centre, at))

  const stand = useEffectEvent((place: OwnPosition, isAsked: boolean) => {
    map.current?.goTo({ ...place, zoom: Math.max(map.current.view()?.zoom ?? 13, isAsked ? 14 : 13) })
    setSearched(null)
    void go({ near: roundedPlace(place), bbox: null, lat: null, lon: null, z: null }, !isAsked)
  })
  const isShown = useRef(false)
  /** Moves the map to the visitor; beyond the bounds of the map only the search. */
  const standAt = ({ place, why }: PositionAnswer, isAsked: boolean) => {
    // the visitor has left for another page
    if (!isShown.current) return
    if (!place) {
      // only if the visitor asked: show the festival instead, as the note says
      if (!isAsked || why !== 'unknown') return
      map.current?.goTo({ ...centre, zoom: config.zoom })
      setSearched(null)
      void go({ near: null, bbox: null, lat: null, lon: null, z: null })
    } else if (isWithin(place, config.bounds)) {
      stand(place, isAsked)
      if (place.accuracy > roughFrom) showNote('rough', { distance: distance(place.accuracy / 1000) })
    } else {
      setSearched(null)
      void go({ near: roundedPlace(place), bbox: null, lat: null, lon: null, z: null }, !isAsked)
    }
  }
  const onOpening = useEffectEvent(() => {
    // a position in the address has priority
    if (query.lat || query.near || query.bbox || beyond) return
    void locate(false).then((place) => {
      const { lat, near, bbox } = latest.current
      // unless the visitor has moved the map or searched an area meanwhile
      if (!lat && !near && !bbox) standAt(place, false)
    })
  })
  useEffect(() => {
    isShown.current = true
    onOpening()
    return () => {
      isShown.current = false
    }
  }, [])

  // back and forward move the map
  const followBack = useEffectEvent(() => {
    if (!wentBack || !map.current?.view()) return
    const to = mapStart(query, centre, config.zoom, config.bounds)
    const at = map.current.view()!
    const moves = distanceKm(to, at) > 0.02 || Math.abs(to.zoom - at.zoom) > 0.05
    setSearched(moves ? null : searchedFrom(query, centre, at))
    if (moves) map.current.goTo(to)
  })
  useEffect(() => followBack(), [search])

  // zooms out to the nearest result of a search by words, or to the festival if nothing is near
  const stepBack = useEffectEvent(() => {
    const at = map.current?.view()
    if (!at || query.lat || query.bbox || isCardOpen || beyond === 'search') return
    if (!(query.q || query.category || isNoneNear)) return
    const middle = searchCentre(query, centre)
    const zoom = zoomToSee(isNoneNear ? [centre] : [...drawn.places, ...drawn.clusters], middle, at)
    if (zoom === null) return
    setSearched(null)
    map.current?.goTo({ ...middle, zoom })
  })
  useEffect(() => stepBack(), [pins, basemap, isNoneNear])

  return {
    start,
    /** The view, if the map was moved away from its search. */
    elsewhere: hasMoved ? view : null,
    stands,
    onMoved: (moved: View, byVisitor: boolean) => {
      if (byVisitor) follow(moved)
      else {
        setView(moved)
        stands(moved)
      }
    },
    searchHere,
    goToOwn: () => void locate(true).then((place) => standAt(place, true)),
  }
}

/** Metres: a position less exact than this is guessed from the network. */
const roughFrom = 2000

/** Moved by more than a fifth of the view, or zoomed by more than half a step. */
function isElsewhere(now: View, then: View): boolean {
  const { west, east, south, north } = then.bounds
  return (
    Math.abs(now.longitude - then.longitude) > (east - west) * 0.2 ||
    Math.abs(now.latitude - then.latitude) > (north - south) * 0.2 ||
    Math.abs(now.zoom - then.zoom) > 0.5
  )
}
