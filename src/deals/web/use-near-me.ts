import { useEffect, useEffectEvent, useState, type MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { storePosition } from '../../kit/browser/here-and-now.ts'
import { dealsWith, type DealQuery } from './deal-query.ts'
import { askPosition, type PositionRefusal } from '../../kit/browser/ask-position.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/**
 * A link to deals around the visitor's position, rounded to about 100 m. Without JavaScript, or without a position, it is the
 * festival's centre; `onRefused` gets the reason. `words`: the search field, even if it was not sent.
 */
export function useNearMe(query: DealQuery, onRefused: (why: PositionRefusal | null) => void, words = () => query.q) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const centre = { near: 'centre', lat: null, lon: null }
  // an effect event, because other filters may be chosen before the answer
  const go = useEffectEvent(({ place, why }: Awaited<ReturnType<typeof askPosition>>) => {
    onRefused(why)
    if (place) storePosition(place)
    const at = place ? { near: null, lat: fixed(place.latitude, 3), lon: fixed(place.longitude, 3) } : centre
    void navigate(dealsWith(query, { ...at, q: words() ?? null }), { preventScrollReset: true })
  })
  useEffect(() => {
    if (!asking) return
    let isOver = false
    void askPosition().then((answer) => {
      // the visitor has left for another page
      if (isOver) return
      setAsking(false)
      go(answer)
    })
    return () => {
      isOver = true
    }
  }, [asking])
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    setAsking(true)
  }
  // `data-near`: until the scripts are loaded, the start script asks for the position (app/boot/early-near.ts)
  return {
    asking,
    link: { href: dealsWith(query, centre), onClick, 'data-near': '', 'aria-busy': asking || undefined },
  }
}
