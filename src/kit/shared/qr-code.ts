import { encodeQR } from 'qr'

/** White border in modules, as the standard demands. */
const quietZone = 4

/** A QR code as one SVG path in a square of `size` units, one per module; each run of dark modules is a rectangle. */
export function drawQr(text: string): { size: number; path: string } {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })
  let path = ''
  for (const [y, row] of modules.entries())
    for (let x = 0; x < row.length; x++) {
      let run = 0
      while (row[x + run]) run++
      if (run > 0) path += `M${x} ${y}h${run}v1h-${run}z`
      x += run
    }
  return { size: modules.length, path }
}
