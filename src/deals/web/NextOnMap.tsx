import { useEffect, useEffectEvent, useState } from 'react'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { CardDeal } from './card-deal.ts'
import { searchCentre, type MapQuery } from './deals-map-query.ts'
import { findNext } from './find-next.ts'
import { NextDeal } from './NextDeal.tsx'

/** The next usable deal nearby, loaded if the list is empty. */
export function NextOnMap({
  query,
  centre,
  first,
}: {
  query: MapQuery
  centre: Position
  /** The deal that came with the page. */
  first: CardDeal | null
}) {
  const from = searchCentre(query, centre)
  const request = JSON.stringify([query.q, query.category, from])
  const [found, setFound] = useState<{ request: string; deal: CardDeal | null } | null>(
    () => first && { request, deal: first },
  )
  const find = useEffectEvent(() => findNext(callByFetch, query, from))
  const isKnown = found?.request === request
  useEffect(() => {
    if (isKnown) return
    let isOver = false
    // the page works without it
    void find()
      .catch(() => null)
      .then((deal) => {
        if (!isOver) setFound({ request, deal })
      })
    return () => {
      isOver = true
    }
  }, [request, isKnown])
  return isKnown && found.deal ? <NextDeal deal={found.deal} /> : null
}
