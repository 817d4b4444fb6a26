import { useEffect, useEffectEvent, useState } from 'react'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { CardDeal } from './card-deal.ts'
import { searchCentre, type MapQuery } from './deals-map-query.ts'
import { findNext } from './find-next.ts'
import { NextDeal } from './NextDeal.tsx'

/** The deal that can be used next near by, asked for where the list is empty. */
export function NextOnMap({ query, centre }: { query: MapQuery; centre: Position }) {
  const from = searchCentre(query, centre)
  const asked = JSON.stringify([query.q, query.category, from])
  const [found, setFound] = useState<{ asked: string; deal: CardDeal | null } | null>(null)
  const find = useEffectEvent(() => findNext(callByFetch, query, from))
  useEffect(() => {
    let isOver = false
    // without an answer the way out is missing, and nothing else
    void find()
      .catch(() => null)
      .then((deal) => {
        if (!isOver) setFound({ asked, deal })
      })
    return () => {
      isOver = true
    }
  }, [asked])
  return found?.asked === asked && found.deal ? <NextDeal deal={found.deal} /> : null
}
