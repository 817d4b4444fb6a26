import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useNavigationType } from 'react-router'
import { distance } from '../../kit/browser/measures.ts'
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
import type { AskedPosition, Own } from './position.ts'
import type { MapAddress } from './use-map-address.ts'
import type { OnMap } from './use-map-deals.ts'
import type { useOwnPosition } from './use-own-position.ts'

/**
 * Where the map stands and where it searches. Visitors, the address and the result of a search move it; its own moves go
 * into the address.
 */
export function useMapMoves({
  map,
  address: { search, query, beyond, wanted, go },
  position: { own, locate, tell, forgetView },
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
  pins: OnMap
  drawn: { places: Position[]; heaps: Position[] }
  /** Null until one is there. */
  basemap: Basemap | null
  isCardOpen: boolean
  /** Nothing lies around the place that is searched around. */
  isNoneNear: boolean
}) {
  const wentBack = useNavigationType() === 'POP'
  const [start] = useState(() => mapStart(query, centre, config.zoom, config.bounds))
  const [view, setView] = useState<View | null>(null)

  /** Somebody who moves the map leaves its search where it was. */
  const keepsSearch = (): Partial<MapQuery> => {
    if (wanted.current.near || wanted.current.bbox) return {}
    const at = searchCentre(wanted.current, centre)
    return { near: distanceKm(at, centre) === 0 ? 'centre' : `${at.latitude},${at.longitude}` }
  }
  const follow = (moved: View) => {
    setView(moved)
    forgetView()
    const { latitude, longitude, zoom } = moved
    void go({ ...keepsSearch(), lat: latitude.toFixed(5), lon: longitude.toFixed(5), z: zoom.toFixed(2) }, true)
  }
  const searchHere = (at: View) => {
    const { west, south, east, north } = at.bounds
    setSearched(at)
    void go({
      bbox: [west, south, east, north].map((side) => side.toFixed(4)).join(','),
      // distances stay those from where somebody is
      near: own && isWithin(own, config.bounds) ? roundedPlace(own) : null,
      lat: at.latitude.toFixed(5),
      lon: at.longitude.toFixed(5),
      z: at.zoom.toFixed(2),
      ...noCard,
    })
  }
  const [searched, setSearched] = useState<View | null>(null)
  const hasMoved = view !== null && searched !== null && isElsewhere(view, searched)
  /** When the map first stands, and after each of its own moves: its search is that of the address. */
  const stands = (at: View) => setSearched((before) => before ?? searchedFrom(query, centre, at))

  const stand = useEffectEvent((place: Own, isAsked: boolean) => {
    map.current?.goTo({ ...place, zoom: Math.max(map.current.view()?.zoom ?? 13, isAsked ? 14 : 13) })
    setSearched(null)
    void go({ near: roundedPlace(place), bbox: null, lat: null, lon: null, z: null }, !isAsked)
  })
  const isShown = useRef(false)
  /** To where somebody is; beyond the map the search goes there alone. */
  const standAt = ({ place, why }: AskedPosition, isAsked: boolean) => {
    // who has gone on to another page stays there
    if (!isShown.current) return
    if (!place) {
      // who asked is shown the festival instead, as the note says; who did not is left alone
      if (!isAsked || why !== 'unknown') return
      map.current?.goTo({ ...centre, zoom: config.zoom })
      setSearched(null)
      void go({ near: null, bbox: null, lat: null, lon: null, z: null })
    } else if (isWithin(place, config.bounds)) {
      stand(place, isAsked)
      if (place.accuracy > roughFrom) tell('rough', { distance: distance(place.accuracy / 1000) })
    } else {
      setSearched(null)
      void go({ near: roundedPlace(place), bbox: null, lat: null, lon: null, z: null }, !isAsked)
    }
  }
  const onOpening = useEffectEvent(() => {
    // a position in the address wins
    if (query.lat || query.near || query.bbox || beyond) return
    void locate(false).then((place) => {
      const { lat, near, bbox } = wanted.current
      // who has moved the map or searched an area meanwhile keeps it
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

  // back and forward take the map along
  const followBack = useEffectEvent(() => {
    if (!wentBack || !map.current?.view()) return
    const to = mapStart(query, centre, config.zoom, config.bounds)
    const at = map.current.view()!
    const moves = distanceKm(to, at) > 0.02 || Math.abs(to.zoom - at.zoom) > 0.05
    setSearched(moves ? null : searchedFrom(query, centre, at))
    if (moves) map.current.goTo(to)
  })
  useEffect(() => followBack(), [search])

  // what was searched for by word lies out of sight, or nothing lies near: the map steps back as far as the nearest of it, or the festival
  const stepBack = useEffectEvent(() => {
    const at = map.current?.view()
    if (!at || query.lat || query.bbox || isCardOpen || beyond === 'search') return
    if (!(query.q || query.category || isNoneNear)) return
    const middle = searchCentre(query, centre)
    const zoom = zoomToSee(isNoneNear ? [centre] : [...drawn.places, ...drawn.heaps], middle, at)
    if (zoom === null) return
    setSearched(null)
    map.current?.goTo({ ...middle, zoom })
  })
  useEffect(() => stepBack(), [pins, basemap, isNoneNear])

  return {
    start,
    /** Where it stands, once it is elsewhere than its search. */
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

/** Metres: a browser that knows no more than that guesses from the network. */
const roughFrom = 2000

/** More than a fifth of the view away, or half a zoom step. */
function isElsewhere(now: View, then: View): boolean {
  const { west, east, south, north } = then.bounds
  return (
    Math.abs(now.longitude - then.longitude) > (east - west) * 0.2 ||
    Math.abs(now.latitude - then.latitude) > (north - south) * 0.2 ||
    Math.abs(now.zoom - then.zoom) > 0.5
  )
}
