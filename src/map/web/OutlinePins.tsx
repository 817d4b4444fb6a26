import { categoryInks } from '../../brand/category-inks.ts'
import { glyphPaths } from '../../brand/posters/poster-glyphs.ts'
import { mapInks, type MapInks } from '../inks.ts'
import type { OverlayData } from './overlay.ts'
import { spotGlyphs } from './spot-glyphs.ts'
import { numberRadius, type Mark } from './still.ts'
import { onPlane } from './still-picture.ts'
import { useMapTheme } from './use-theme.ts'

interface Point {
  x: number
  y: number
}

/** The pins of the outline map, and where the visitor is. */
export function OutlinePins({
  marks,
  data,
  zoom,
  origin,
  middle,
}: {
  marks: Mark[]
  data: OverlayData
  zoom: number
  /** The plane is too wide for the numbers of a picture, so pins are placed from here. */
  origin: Point
  /** Of the picture. */
  middle: Point
}) {
  const inks = mapInks[useMapTheme()]
  const own = data.own && onPlane(data.own, zoom)
  return (
    <g transform={`translate(${Math.round(origin.x - middle.x)} ${Math.round(origin.y - middle.y)})`}>
      {own && (
        <g
          transform={`translate(${Math.round(own.x - origin.x)} ${Math.round(own.y - origin.y)})`}
          fill={inks.own}
          stroke={inks.own}
        >
          <circle r="17" fill={inks.ownRim} strokeWidth="4" />
          <circle r="9" stroke="none" />
        </g>
      )}
      {marks.map((mark) => (
        <Pin key={mark.key} mark={mark} from={origin} inks={inks} isMarked={holds(mark, data)} />
      ))}
    </g>
  )
}

const holds = (mark: Mark, { focus, chosen }: OverlayData) =>
  mark.places.some(({ key }) => key === focus?.key || key === chosen?.key)

/** 32 pixels, like the live map's; a number's circle grows with it. */
function Pin({
  mark,
  from,
  inks,
  isMarked,
}: {
  mark: Mark
  from: { x: number; y: number }
  inks: MapInks
  isMarked: boolean
}) {
  const { key, icon, count } = mark
  const isNumber = icon === 'deals' || icon === 'merchants'
  const { category = 'other', time = 'now', look } = mark.places[0] ?? {}
  const { hue, ink: onHue } = categoryInks(category)
  const isLater = time === 'later' && mark.places.length === 1
  const [fill, ink] = icon === 'merchants' ? [inks.merchant, inks.onMerchant] : [inks.cluster, inks.onCluster]
  const [x, y] = [Math.round(mark.x - from.x), Math.round(mark.y - from.y)]
  return (
    <g
      data-mark={key}
      transform={`translate(${x} ${y}) scale(${isMarked || (!isNumber && mark.places.length > 1) ? 1.4 : 1})`}
      className="cursor-pointer"
    >
      {isNumber ? (
        <>
          <circle r={numberRadius(count)} fill={fill} stroke={ink} strokeWidth="3" />
          <g>
            <text y="5" textAnchor="middle" fill={ink} className="font-display text-sm font-extrabold">
              {count < 10_000 ? count : `${Math.round(count / 1000)}k`}
            </text>
          </g>
        </>
      ) : icon === 'premium' ? (
        <>
          <path
            d="m0-14.200 4.500 8 9.100 1.900-6.300 6.800 1 9.200L0 8.100l-8.300 3.600 1-9.200-6.300-6.800 9.100-1.900z"
            fill={isLater ? inks.merchant : inks.premium}
            stroke={isLater ? inks.premium : inks.pinRim}
            strokeWidth="2"
            strokeLinejoin="round"
          />
          {mark.places.length === 1 && (
            <>
              <circle r="6.5" fill={hue} />
              <path d={glyphPaths[category]} transform="translate(-4.500 -4.500) scale(.375)" fill={onHue} />
            </>
          )}
        </>
      ) : icon === 'merchant' ? (
        <>
          <rect
            x="-11"
            y="-11"
            width="22"
            height="22"
            rx="5"
            fill={look === 'venue-now' ? inks.onMerchant : inks.merchant}
            stroke={look === 'venue-now' ? inks.merchant : inks.onMerchant}
            strokeWidth="2"
          />
          {look && (
            <path
              d={spotGlyphs[look]}
              transform="translate(-7.500 -7.500) scale(.625)"
              fill="none"
              stroke={look === 'venue-now' ? inks.merchant : inks.onMerchant}
              strokeWidth="2.400"
              strokeLinecap="round"
            />
          )}
        </>
      ) : (
        <>
          <path
            d="M-8.900-10A11 11 0 1 1 8.900-10L0 0z"
            fill={isLater ? inks.merchant : hue}
            stroke={isLater ? hue : inks.pinRim}
            strokeWidth="2"
            strokeLinejoin="round"
          />
          <path
            d={glyphPaths[category]}
            transform="translate(-6.500 -23) scale(.54)"
            fill={isLater ? inks.pinRim : onHue}
            fillRule="evenodd"
          />
        </>
      )}
      {!isNumber && count === 1 && time === 'ending' && (
        <g transform={`translate(9.500 ${icon === 'deal' ? -23.5 : -10})`} data-ending="">
          <circle r="6" fill={inks.pinRim} />
          <circle r="4.400" fill={inks.premium} />
          <path d="M0-2.500V0l1.800 1.100" fill="none" stroke={inks.onPremium} strokeWidth="1.500" />
        </g>
      )}
      {!isNumber && count > 1 && (
        <>
          <circle cx="11" cy={icon === 'deal' ? -26 : -11} r={count > 99 ? 12 : 9} fill={inks.cluster} />
          <text
            x="11"
            y={icon === 'deal' ? -22 : -7}
            textAnchor="middle"
            fill={inks.onCluster}
            className="text-[0.6875rem] font-semibold"
          >
            {count}
          </text>
        </>
      )}
    </g>
  )
}
