import { useEffect, useEffectEvent, useState, type MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { storeLastPosition } from '../../kit/browser/last-position.ts'
import { dealsWith, type DealQuery } from './deal-query.ts'
import { askPosition, type Refused } from './position.ts'

/**
 * A link to deals around the visitor: without JavaScript it takes the festival's centre. With it the browser is asked
 * where we are, rounded to about 100 m; refused or too slow, it is the centre again and `onRefused` tells why. `words`: what the
 * search field holds by then, also when it was not sent.
 */
export function useNearMe(query: DealQuery, onRefused: (why: Refused | null) => void, words = () => query.q) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const centre = { near: 'centre', lat: null, lon: null }
  // by then other filters may be chosen
  const go = useEffectEvent(({ place, why }: Awaited<ReturnType<typeof askPosition>>) => {
    onRefused(why)
    if (place) storeLastPosition(place)
    const at = place ? { near: null, lat: place.latitude.toFixed(3), lon: place.longitude.toFixed(3) } : centre
    void navigate(dealsWith(query, { ...at, q: words() ?? null }), { preventScrollReset: true })
  })
  useEffect(() => {
    if (!asking) return
    let isOver = false
    void askPosition().then((answer) => {
      // who has gone on to another page stays there
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
  // `data-near`: before the page is alive, the start script asks for the position instead (app/boot/early-near.ts)
  return {
    asking,
    link: { href: dealsWith(query, centre), onClick, 'data-near': '', 'aria-busy': asking || undefined },
  }
}
