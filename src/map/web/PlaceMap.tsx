import { useTranslations } from 'use-intl'
import type { Position } from '../../kit/shared/geo.ts'
import type { MapTheme } from './engine.ts'
import { mapIntent } from './load-engine.ts'
import { StillMap } from './StillMap.tsx'

/** Shows the names of streets. */
const zoom = 14.6

/** A piece of the bundled drawing with a pin at a place, as a link to the map. Needs no engine. */
export function PlaceMap({
  at,
  href,
  theme,
}: {
  at: Position
  /** Address of the map at this place. */
  href: string
  theme: 'auto' | MapTheme
}) {
  const t = useTranslations('placeMap')
  return (
    <a
      href={href}
      {...mapIntent}
      aria-label={t('open')}
      className="relative block h-40 overflow-clip rounded-6 border-2 border-rule bg-well print-hidden"
    >
      <StillMap theme={theme} camera={{ ...at, zoom }} isBelow>
        <path
          d="M0 0-9.6-9.9A13 13 0 1 1 9.6-9.9Z"
          transform="translate(0 -6)"
          strokeWidth="2"
          className="fill-action stroke-page"
        />
        <circle cy="-25" r="4.5" className="fill-page" />
      </StillMap>
    </a>
  )
}
