import type { MapInks } from '../inks.ts'

/** Markers are 32 × 32 CSS pixels, drawn at twice that. */
export const pinSize = 32
const ratio = 2
const ringSize = 30

export interface Icon {
  data: ImageData
  /** As MapLibre's `addImage` takes them. */
  options: { pixelRatio: number; stretchX?: [number, number][]; stretchY?: [number, number][] }
}

/** Every icon of the map by its name; null for a name that is none of ours. */
export function drawIcon(name: string, inks: MapInks): Icon | null {
  const draw = icons[name]
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
  const stretch =
    name === 'bubble' ? { stretchX: middle, stretchY: middle } : name === 'merchants-ring' ? { stretchX: middle } : {}
  return {
    data: pen.getImageData(0, 0, canvas.width, canvas.height),
    options: { pixelRatio: ratio, ...stretch },
  }
}

type Paint = (pen: CanvasRenderingContext2D, inks: MapInks) => void

const icons: Record<string, [size: number, paint: Paint]> = {
  // a ticket on a point: what every deal is
  deal: [
    pinSize,
    (pen, inks) => {
      drop(pen, inks.pin, inks.pinRim)
      dot(pen, inks.onPin, 12.4, 10, 2)
      dot(pen, inks.onPin, 19.6, 17, 2)
      stroke(pen, inks.onPin, 2, [20, 8.6], [12, 18.4])
    },
  ],
  // the star of everything paid
  premium: [
    pinSize,
    (pen, inks) => {
      pen.beginPath()
      const [x, y] = [16, 16.6]
      for (let point = 0; point < 10; point++) {
        const radius = point % 2 === 0 ? 14.2 : 7.6
        const angle = -Math.PI / 2 + (point * Math.PI) / 5
        pen.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle))
      }
      pen.closePath()
      pen.lineWidth = 4
      pen.strokeStyle = inks.pinRim
      pen.stroke()
      pen.fillStyle = inks.premium
      pen.fill()
      dot(pen, inks.onPremium, 13.2, 14.4, 1.5)
      dot(pen, inks.onPremium, 18.8, 19.4, 1.5)
      stroke(pen, inks.onPremium, 1.6, [18.9, 13.4], [13.1, 20.4])
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
  // what a cluster's number lies on; as wide as the number
  bubble: [20, (pen, inks) => dot(pen, inks.cluster, 10, 10, 10)],
  // of merchants, with its rim; stretched to the width of the number
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
  // how many lie at one place
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

function drop(pen: CanvasRenderingContext2D, fill: string, rim: string) {
  pen.beginPath()
  pen.arc(16, 13.5, 11, Math.PI * 0.8, Math.PI * 0.2)
  pen.lineTo(16, 30)
  pen.closePath()
  pen.fillStyle = fill
  pen.fill()
  pen.lineWidth = 2
  pen.strokeStyle = rim
  pen.stroke()
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
