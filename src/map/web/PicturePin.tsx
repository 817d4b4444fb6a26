import { mapInks } from '../inks.ts'
import { iconOf } from './overlay.ts'
import { paintIcon } from './pins.ts'
import { numberRadius, type Mark } from './still.ts'
import { useMapTheme } from './use-theme.ts'

interface Point {
  x: number
  y: number
}

/** Offset from the corner of the picture, which is at `from` on the plane. */
const placed = (at: Point, from: Point) => ({ left: Math.round(at.x - from.x), top: Math.round(at.y - from.y) })

/** A pin on the picture of the city: the icon of the live map, or a number for several overlapping ones. */
export function PicturePin({ mark, from, isMarked }: { mark: Mark; from: Point; isMarked: boolean }) {
  const { key, icon, count, lanterns, places } = mark
  const inks = mapInks[useMapTheme()]
  const isNumber = icon === 'deals' || icon === 'merchants'
  const [fill, ink] = icon === 'merchants' ? [inks.merchant, inks.onMerchant] : [inks.cluster, inks.onCluster]
  const name = iconOf(places[0] ?? { icon: 'deal' })
  const size = isMarked ? 'scale-140' : ''
  const anchor = icon === 'deal' ? 'origin-bottom -translate-y-full' : '-translate-y-1/2'
  return (
    <span
      data-mark={key}
      style={placed(mark, from)}
      className={`absolute -translate-x-1/2 cursor-pointer ${anchor} ${size}`}
    >
      {isNumber ? (
        <span
          style={{
            backgroundColor: fill,
            color: ink,
            minWidth: numberRadius(count) * 2,
            height: numberRadius(count) * 2,
          }}
          className="grid place-items-center rounded-full border-3 font-display text-sm font-extrabold"
        >
          {count < 10_000 ? count : `${Math.round(count / 1000)}k`}
        </span>
      ) : (
        <canvas
          ref={(canvas) => void (canvas && paintIcon(canvas, name, inks))}
          data-icon={name}
          className="block size-8"
        />
      )}
      {isNumber && lanterns > 0 && (
        <canvas
          ref={(canvas) => void (canvas && paintIcon(canvas, 'notch', inks))}
          data-icon="notch"
          className="absolute -top-1.5 -right-2 size-4.5"
        />
      )}
      {!isNumber && count > 1 && (
        <span
          style={{ backgroundColor: inks.cluster, color: inks.onCluster }}
          className="absolute -top-1.5 -right-2 grid h-4.5 min-w-4.5 place-items-center rounded-full px-1 text-[0.6875rem] font-semibold"
        >
          {count}
        </span>
      )}
    </span>
  )
}

/** The visitor's position. */
export function OwnSpot({ at, from }: { at: Point; from: Point }) {
  const inks = mapInks[useMapTheme()]
  return (
    <span
      style={{ ...placed(at, from), backgroundColor: inks.ownRim, borderColor: inks.own }}
      className="absolute grid size-9.5 -translate-1/2 place-items-center rounded-full border-4"
    >
      <span style={{ backgroundColor: inks.own }} className="size-4.5 rounded-full" />
    </span>
  )
}
