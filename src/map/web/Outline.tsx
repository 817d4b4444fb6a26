import { outlineProjection } from '../drawing/projection.ts'
import { mapInks } from '../inks.ts'
import { outlinePicture, outlineView } from '../outline-view.ts'
import type { MapTheme } from './engine.ts'
import type { OverlayData, Place } from './overlay.ts'
import { useMapTheme } from './use-theme.ts'

const { width, height } = outlineView
const project = outlineProjection(outlineView)

/** A still picture of the city; with `data` its pins lie on it. The list beside it is what can be used. */
export function Outline({
  theme,
  data,
  onPick,
}: {
  theme: 'auto' | MapTheme
  data: OverlayData | null
  onPick?: ((places: Place[]) => void) | undefined
}) {
  const inks = mapInks[useMapTheme()]
  return (
    <>
      <picture>
        {theme === 'auto' && <source media="(prefers-color-scheme: dark)" srcSet={outlinePicture('river')} />}
        <img
          src={outlinePicture(theme === 'river' ? 'river' : 'paper')}
          alt=""
          width={width}
          height={height}
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      </picture>
      {data && (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="xMidYMid slice"
          aria-hidden="true"
          className="absolute inset-0 size-full"
        >
          {data.places.slice(0, 400).map((place) => {
            const [x, y] = project([place.longitude, place.latitude])
            const isMarked = place.key === data.focus?.key || place.key === data.chosen?.key
            return (
              <g
                key={place.key}
                transform={`translate(${x} ${y}) scale(${isMarked ? 2.2 : 1.4})`}
                onClick={() => onPick?.([place])}
                className="cursor-pointer"
              >
                {place.icon === 'premium' ? (
                  <path
                    d="m0-12 3.4 7.4 8 .9-6 5.4 1.7 7.9L0 5.6l-7.1 4 1.7-7.9-6-5.4 8-.9z"
                    fill={inks.premium}
                    stroke={inks.pinRim}
                    strokeWidth="1.5"
                  />
                ) : (
                  <circle
                    r={place.icon === 'merchant' ? 6 : 8}
                    fill={place.icon === 'merchant' ? inks.merchant : inks.pin}
                    stroke={inks.pinRim}
                    strokeWidth="1.5"
                  />
                )}
              </g>
            )
          })}
        </svg>
      )}
    </>
  )
}
