import type { ReactNode } from 'react'
import { CityPicture } from './CityPicture.tsx'
import type { MapTheme } from './engine.ts'
import { pictureAround, type Camera } from './still-picture.ts'

/**
 * The drawing as a picture, at the place and the scale of the live map: there with the page itself, and hardly to be told
 * from the map that then takes its place. Everything is placed by attributes of SVG, whose origin is the middle of the
 * map, because pages carry no styles of their own. `children` are SVG, in CSS pixels from that middle.
 */
export function StillMap({
  theme,
  camera,
  isCovered = false,
  isBelow = false,
  children,
}: {
  /** As the visitor chose it; `auto` follows the system. */
  theme: 'auto' | MapTheme
  camera: Camera
  /** Where a sheet lies over the lower edge of the map, as on phones; the middle is that of the rest. */
  isCovered?: boolean
  /** Further down a page, where it waits until what is seen first is there. */
  isBelow?: boolean
  children?: ReactNode
}) {
  const { width, height, ...corner } = pictureAround(camera)
  return (
    <div className={`absolute inset-0 ${isCovered ? 'stage:bottom-44' : ''}`}>
      <svg aria-hidden="true" className="size-full overflow-visible">
        <svg x="50%" y="50%" className="overflow-visible">
          <foreignObject {...corner} width={width} height={height}>
            <CityPicture theme={theme} zoom={camera.zoom} isBelow={isBelow} />
          </foreignObject>
          {children}
        </svg>
      </svg>
    </div>
  )
}
