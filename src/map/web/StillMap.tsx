import type { ReactNode } from 'react'
import { nearZoom, outlinePicture } from '../outline-view.ts'
import type { MapTheme } from './engine.ts'
import { pictureAround, type Camera } from './still-picture.ts'
import { useChosenTheme } from './use-theme.ts'

/**
 * The drawing as a picture, at the place and the scale of the live map: there with the page itself, and hardly to be told
 * from the map that then takes its place. Everything is placed by attributes of SVG, whose origin is the middle of the
 * map, because pages carry no styles of their own. `children` are SVG, in CSS pixels from that middle.
 */
export function StillMap({
  theme: given,
  camera,
  isCovered,
  isBelow = false,
  children,
}: {
  /** As the visitor chose it; `auto` follows the system. */
  theme: 'auto' | MapTheme
  camera: Camera
  /** Where a sheet lies over the lower edge of the map, as on phones; the middle is that of the rest. */
  isCovered: boolean
  /** Further down a page, where it waits until what is seen first is there. */
  isBelow?: boolean
  children?: ReactNode
}) {
  const { width, height, ...corner } = pictureAround(camera)
  const theme = useChosenTheme(given)
  const isNear = camera.zoom > nearZoom
  return (
    <div className={`absolute inset-0 ${isCovered ? 'stage:bottom-44' : ''}`}>
      <svg aria-hidden="true" className="size-full overflow-visible">
        <svg x="50%" y="50%" className="overflow-visible">
          <foreignObject {...corner} width={width} height={height}>
            <picture>
              {theme === 'auto' && (
                <source media="(prefers-color-scheme: dark)" srcSet={outlinePicture('river', isNear)} />
              )}
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
          </foreignObject>
          {children}
        </svg>
      </svg>
    </div>
  )
}
