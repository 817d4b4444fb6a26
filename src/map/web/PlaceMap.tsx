import { useTranslations } from 'use-intl'
import type { Position } from '../../kit/shared/geo.ts'
import { outlinePicture } from '../outline-view.ts'
import type { MapTheme } from './engine.ts'
import { mapIntent } from './load-engine.ts'
import { pictureAround } from './still-picture.ts'
import { useChosenTheme } from './use-theme.ts'

/** Close enough for the names of streets. */
const zoom = 14.6

/** Where a place is: a piece of the bundled drawing with a pin, which leads to the map. No engine is loaded for it. */
export function PlaceMap({
  at,
  href,
  theme: given,
}: {
  at: Position
  /** The map at this place. */
  href: string
  theme: 'auto' | MapTheme
}) {
  const t = useTranslations('placeMap')
  const theme = useChosenTheme(given)
  const { width, height, ...corner } = pictureAround({ ...at, zoom })
  return (
    <a
      href={href}
      {...mapIntent}
      aria-label={t('open')}
      className="relative block h-40 overflow-clip rounded-6 border-2 border-rule bg-well print-hidden"
    >
      <svg aria-hidden="true" className="size-full">
        <svg x="50%" y="50%" className="overflow-visible">
          <foreignObject {...corner} width={width} height={height}>
            <picture>
              {theme === 'auto' && (
                <source media="(prefers-color-scheme: dark)" srcSet={outlinePicture('river', true)} />
              )}
              <img
                src={outlinePicture(theme === 'river' ? 'river' : 'paper', true)}
                alt=""
                loading="lazy"
                decoding="async"
                draggable={false}
                className="size-full max-w-none"
              />
            </picture>
          </foreignObject>
          <path
            d="M0 0-9.6-9.9A13 13 0 1 1 9.6-9.9Z"
            transform="translate(0 -6)"
            strokeWidth="2"
            className="fill-action stroke-page"
          />
          <circle cy="-25" r="4.5" className="fill-page" />
        </svg>
      </svg>
    </a>
  )
}
