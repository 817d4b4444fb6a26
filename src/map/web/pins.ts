import { toCategory, type Category } from '../../brand/category.ts'
import { categoryInks } from '../../brand/category-inks.ts'
import { glyphPaths } from '../../brand/posters/poster-glyphs.ts'
import type { MapInks } from '../inks.ts'
import { spotGlyphs, type SpotLook } from './spot-glyphs.ts'

/** Size of icons in CSS pixels; they are drawn at twice the resolution. */
export const pinSize = 32
const ratio = 2
const ringSize = 30
const notchSize = 18

export interface Icon {
  data: ImageData
  /** Options for MapLibre's `addImage`. */
  options: { pixelRatio: number; stretchX?: [number, number][]; stretchY?: [number, number][] }
}

/** Draws the icon with this name; null for an unknown name. */
export function drawIcon(name: string, inks: MapInks): Icon | null {
  const draw = icons[name] ?? spotIcon(name) ?? dealIcon(name)
  if (!draw) return null
  const [size, paint] = draw
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * ratio
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.scale(ratio, ratio)
  pen.lineJoin = 'round'
  paint(pen, inks)
  const middle: [number, number][] = [[canvas.width / 2 - 1, canvas.width / 2 + 1]]
  const stretch = name === 'merchants-ring' ? { stretchX: middle } : {}
  return {
    data: pen.getImageData(0, 0, canvas.width, canvas.height),
    options: { pixelRatio: ratio, ...stretch },
  }
}

/** Draws an icon over a whole canvas of `pinSize` CSS pixels. */
export function paintIcon(canvas: HTMLCanvasElement, name: string, inks: MapInks): void {
  const icon = drawIcon(name, inks)
  if (!icon) return
  canvas.width = icon.data.width
  canvas.height = icon.data.height
  canvas.getContext('2d')?.putImageData(icon.data, 0, 0)
}

type Paint = (pen: CanvasRenderingContext2D, inks: MapInks) => void

const icons: Record<string, [size: number, paint: Paint]> = {
  // premium deals in a cluster
  notch: [
    notchSize,
    (pen, inks) => {
      pen.scale(notchSize / pinSize, notchSize / pinSize)
      lantern(pen)
      rimmed(pen, inks.premium, inks.pinRim)
    },
  ],
  // a house front with its awning
  merchant: [
    pinSize,
    (pen, inks) => {
      pen.beginPath()
      pen.roundRect(5, 5, 22, 22, 5)
      pen.fillStyle = inks.merchant
      pen.fill()
      pen.lineWidth = 2
      pen.strokeStyle = inks.onMerchant
      pen.stroke()
      pen.fillStyle = inks.onMerchant
      pen.beginPath()
      pen.moveTo(10, 10)
      pen.lineTo(22, 10)
      pen.lineTo(23.5, 15)
      pen.lineTo(8.5, 15)
      pen.closePath()
      pen.fill()
      pen.fillRect(10, 16.5, 2, 6)
      pen.fillRect(20, 16.5, 2, 6)
      pen.fillRect(10, 20.8, 12, 1.8)
    },
  ],
  // the ring around a number of merchants, stretched to its width
  'merchants-ring': [
    ringSize,
    (pen, inks) => {
      dot(pen, inks.merchant, ringSize / 2, ringSize / 2, ringSize / 2)
      pen.beginPath()
      pen.arc(ringSize / 2, ringSize / 2, ringSize / 2 - 1.5, 0, 2 * Math.PI)
      pen.lineWidth = 3
      pen.strokeStyle = inks.onMerchant
      pen.stroke()
    },
  ],
  // the number of things at one place
  badge: [
    18,
    (pen, inks) => {
      dot(pen, inks.onCluster, 9, 9, 9)
      dot(pen, inks.cluster, 9, 9, 7.6)
    },
  ],
  stop: [
    10,
    (pen, inks) => {
      dot(pen, inks.halo, 5, 5, 4.4)
      dot(pen, inks.stop, 5, 5, 2.8)
    },
  ],
  station: [
    16,
    (pen, inks) => {
      pen.beginPath()
      pen.roundRect(1, 1, 14, 14, 3)
      pen.fillStyle = inks.place
      pen.fill()
      pen.fillStyle = inks.halo
      pen.fillRect(4, 4, 8, 5)
      dot(pen, inks.halo, 5.6, 11.6, 1.3)
      dot(pen, inks.halo, 10.4, 11.6, 1.3)
    },
  ],
}

/** A venue or a useful place: its glyph on a square, filled with the rim's ink while an event is on. */
function spotIcon(name: string): [size: number, paint: Paint] | null {
  if (!Object.hasOwn(spotGlyphs, name)) return null
  return [
    pinSize,
    (pen, inks) => {
      const isOn = name === 'venue-now'
      pen.beginPath()
      pen.roundRect(3, 3, 26, 26, 6)
      pen.fillStyle = isOn ? inks.onMerchant : inks.merchant
      pen.fill()
      pen.lineWidth = 2
      pen.strokeStyle = isOn ? inks.merchant : inks.onMerchant
      pen.stroke()
      pen.save()
      pen.translate(7, 7)
      pen.scale(0.75, 0.75)
      pen.lineWidth = 2.4
      pen.lineCap = 'round'
      pen.stroke(new Path2D(spotGlyphs[name as SpotLook]))
      pen.restore()
    },
  ]
}

/**
 * `deal food now`, `premium drinks later`: the hue and glyph of a category on a drop, or on a lantern if premium. Filled while the deal
 * can be used, with a clock in its last hours, hollow before its time.
 */
function dealIcon(name: string): [size: number, paint: Paint] | null {
  const [kind, category, time] = name.split(' ')
  if ((kind !== 'deal' && kind !== 'premium') || !time) return null
  const of = toCategory(category)
  const { hue, ink } = categoryInks(of)
  const isLater = time === 'later'
  return [
    pinSize,
    (pen, inks) => {
      if (kind === 'deal') {
        drop(pen)
        rimmed(pen, isLater ? inks.merchant : hue, isLater ? hue : inks.pinRim)
        glyph(pen, of, isLater ? inks.pinRim : ink, 16, 13.5, 14)
      } else {
        lantern(pen)
        rimmed(pen, isLater ? inks.merchant : inks.premium, isLater ? inks.premium : inks.pinRim)
        dot(pen, hue, 16, 16, 8)
        glyph(pen, of, ink, 16, 16, 11)
      }
      if (time !== 'ending') return
      dot(pen, inks.pinRim, 25.5, 6.5, 6)
      dot(pen, inks.premium, 25.5, 6.5, 4.4)
      stroke(pen, inks.onPremium, 1.5, [25.5, 4], [25.5, 6.5])
      stroke(pen, inks.onPremium, 1.5, [25.5, 6.5], [27.3, 7.6])
    },
  ]
}

function drop(pen: CanvasRenderingContext2D) {
  pen.beginPath()
  pen.arc(16, 13.5, 11.5, Math.PI * 0.8, Math.PI * 0.2)
  pen.lineTo(16, 30)
  pen.closePath()
}

/** A paper lantern: cap, wide body, foot. */
function lantern(pen: CanvasRenderingContext2D) {
  pen.beginPath()
  pen.moveTo(12, 2.5)
  pen.lineTo(20, 2.5)
  pen.lineTo(20, 5)
  pen.quadraticCurveTo(29.5, 9, 29.5, 16)
  pen.quadraticCurveTo(29.5, 23, 20, 27)
  pen.lineTo(20, 29.5)
  pen.lineTo(12, 29.5)
  pen.lineTo(12, 27)
  pen.quadraticCurveTo(2.5, 23, 2.5, 16)
  pen.quadraticCurveTo(2.5, 9, 12, 5)
  pen.closePath()
}

function rimmed(pen: CanvasRenderingContext2D, fill: string, rim: string) {
  pen.lineWidth = 4
  pen.strokeStyle = rim
  pen.stroke()
  pen.fillStyle = fill
  pen.fill()
}

/** Draws a category's glyph, `size` pixels wide, around a point. */
function glyph(pen: CanvasRenderingContext2D, of: Category, ink: string, x: number, y: number, size: number) {
  pen.save()
  pen.translate(x - size / 2, y - size / 2)
  pen.scale(size / 24, size / 24)
  pen.fillStyle = ink
  pen.fill(new Path2D(glyphPaths[of]), 'evenodd')
  pen.restore()
}

function dot(pen: CanvasRenderingContext2D, ink: string, x: number, y: number, radius: number) {
  pen.fillStyle = ink
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
}

function stroke(
  pen: CanvasRenderingContext2D,
  ink: string,
  width: number,
  from: [x: number, y: number],
  to: [x: number, y: number],
) {
  pen.strokeStyle = ink
  pen.lineWidth = width
  pen.beginPath()
  pen.moveTo(...from)
  pen.lineTo(...to)
  pen.stroke()
}
