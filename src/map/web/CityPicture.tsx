import { nearZoom, outlinePicture } from '../outline-view.ts'
import type { MapTheme } from './engine.ts'
import { useChosenTheme } from './use-theme.ts'

/** The drawing of the city as a picture that fills its container, in the theme of the page. */
export function CityPicture({
  theme: given,
  zoom,
  isBelow = false,
}: {
  /** Chosen by the visitor; `auto` follows the system. */
  theme: 'auto' | MapTheme
  /** Zoom of the live map at this scale. */
  zoom: number
  /** Below the first screen: loaded lazily. */
  isBelow?: boolean
}) {
  const theme = useChosenTheme(given)
  const isNear = zoom > nearZoom
  return (
    <picture>
      {theme === 'auto' && <source media="(prefers-color-scheme: dark)" srcSet={outlinePicture('river', isNear)} />}
      <img
        src={outlinePicture(theme === 'river' ? 'river' : 'paper', isNear)}
        alt=""
        fetchPriority={isBelow ? undefined : 'high'}
        loading={isBelow ? 'lazy' : undefined}
        decoding="async"
        draggable={false}
        className="size-full max-w-none"
      />
    </picture>
  )
}
