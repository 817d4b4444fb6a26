import type { ReactNode } from 'react'
import { CityPicture } from './CityPicture.tsx'
import type { MapTheme } from './engine.ts'
import { pictureAround, type Camera } from './still-picture.ts'

/**
 * The drawing as a picture, with the position and scale of the live map that replaces it later; it comes with the page. Everything is
 * placed by SVG attributes, because the Content Security Policy blocks style attributes. The origin is the middle of the map;
 * `children` are SVG in CSS pixels from there.
 */
export function StillMap({
  theme,
  camera,
  isCovered = false,
  isBelow = false,
  children,
}: {
  /** Chosen by the visitor; `auto` follows the system. */
  theme: 'auto' | MapTheme
  camera: Camera
  /** A sheet covers the lower edge, as on phones; the middle is that of the visible rest. */
  isCovered?: boolean
  /** Below the first screen: loaded lazily. */
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
