import { useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Bounds } from '../../kit/shared/geo.ts'
import { page } from '../../site-map.ts'
import { mapWith, onThisMap, readMapQuery, type MapQuery } from './deals-map-query.ts'

/** The query in the address, within the bounds of the map, and `go` to change it. */
export function useMapAddress(bounds: Bounds) {
  const { search } = useLocation()
  const { query, beyond } = useMemo(
    () => onThisMap(readMapQuery(new URLSearchParams(search)), bounds),
    [search, bounds],
  )
  const navigate = useNavigate()

  // the latest query, before it is in the address: a move that ends meanwhile must not undo a search
  const latest = useRef(query)
  useEffect(() => {
    latest.current = query
  }, [query])
  const go = (changes: { [name in keyof MapQuery]?: string | null }, replace = false) => {
    const address = mapWith(latest.current, changes)
    latest.current = readMapQuery(new URLSearchParams(address.slice(page.dealsMap.length)))
    return navigate(address, { replace, preventScrollReset: true })
  }
  return { search, query, beyond, latest, go }
}

export type MapAddress = ReturnType<typeof useMapAddress>
