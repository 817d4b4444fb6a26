import { nearZoom, outlinePicture } from '../outline-view.ts'
import type { MapTheme } from './engine.ts'
import { useChosenTheme } from './use-theme.ts'

/** The drawing of the city as a picture that fills its place, in the theme of the page. */
export function CityPicture({
  theme: given,
  zoom,
  isBelow = false,
}: {
  /** As the visitor chose it; `auto` follows the system. */
  theme: 'auto' | MapTheme
  /** Of the live map, at which it is looked at. */
  zoom: number
  /** Further down a page, where it waits until what is seen first is there. */
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
