import { useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Bounds } from '../../kit/shared/geo.ts'
import { page } from '../../site-map.ts'
import { mapWith, onThisMap, readMapQuery, type MapQuery } from './deals-map-query.ts'

/** What the address says, as far as this map can show it, and the way to say something else. */
export function useMapAddress(bounds: Bounds) {
  const { search } = useLocation()
  const { query, beyond } = useMemo(
    () => onThisMap(readMapQuery(new URLSearchParams(search)), bounds),
    [search, bounds],
  )
  const navigate = useNavigate()

  // what was asked for last: a move may end while a search is still on its way into the address, and must not undo it
  const wanted = useRef(query)
  useEffect(() => {
    wanted.current = query
  }, [query])
  const go = (changes: { [name in keyof MapQuery]?: string | null }, replace = false) => {
    const address = mapWith(wanted.current, changes)
    wanted.current = readMapQuery(new URLSearchParams(address.slice(page.dealsMap.length)))
    return navigate(address, { replace, preventScrollReset: true })
  }
  return { search, query, beyond, wanted, go }
}

export type MapAddress = ReturnType<typeof useMapAddress>
