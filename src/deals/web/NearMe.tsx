import { useEffect, useEffectEvent, useState } from 'react'
import { LocateFixed } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { keepHere } from '../../kit/browser/here.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { chipClass } from './chip.ts'
import { dealsWith, type DealQuery } from './deal-query.ts'

const positionTimeoutMs = 10_000

/**
 * "Near me" as a link: without JavaScript it takes the festival's centre. With it the browser is asked where we are,
 * rounded to about 100 m; refused or too slow, it is the centre again and `onRefused` tells why.
 */
export function NearMe({
  query,
  current,
  onRefused,
}: {
  query: DealQuery
  current: boolean
  onRefused: (why: Refused | null) => void
}) {
  const t = useTranslations('deals')
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const atCentre = dealsWith(query, { near: 'centre', lat: null, lon: null })
  // by then other filters may be chosen
  const go = useEffectEvent((place: Position | Refused) => {
    const isFound = typeof place === 'object'
    if (isFound) keepHere(place)
    onRefused(isFound ? null : place)
    const to = isFound
      ? dealsWith(query, { near: null, lat: place.latitude.toFixed(3), lon: place.longitude.toFixed(3) })
      : atCentre
    void navigate(to, { preventScrollReset: true })
  })
  useEffect(() => {
    if (!asking) return
    let isOver = false
    void position().then((place) => {
      // who has gone on to another page stays there
      if (isOver) return
      setAsking(false)
      go(place)
    })
    return () => {
      isOver = true
    }
  }, [asking])

  return (
    <a
      href={atCentre}
      aria-current={current ? 'true' : undefined}
      aria-busy={asking || undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        setAsking(true)
      }}
      className={`${chipClass} aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-page`}
    >
      {asking ? <Bars /> : <LocateFixed aria-hidden="true" className="size-5" />}
      {asking ? t('finding') : t('nearMe')}
    </a>
  )
}

/** Why there is no position: the browser was told not to give it, or does not know it. */
export type Refused = 'denied' | 'unknown'

function position(): Promise<Position | Refused> {
  if (!('geolocation' in navigator)) return Promise.resolve('unknown')
  return new Promise((resolve) => {
    // some browsers never answer while their question stands open
    const timer = setTimeout(() => resolve('unknown'), positionTimeoutMs + 500)
    const end = (place: Position | Refused) => {
      clearTimeout(timer)
      resolve(place)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => end(coords),
      ({ code }) => end(code === 1 ? 'denied' : 'unknown'),
      { timeout: positionTimeoutMs, maximumAge: 60_000 },
    )
  })
}
