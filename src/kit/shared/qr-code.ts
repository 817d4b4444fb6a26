import { encodeQR } from 'qr'

/** In modules, as the standard asks for. */
const quietZone = 4

/** The modules of a QR code as one SVG path, a rectangle for each run of dark ones, in a square of `size` units. */
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
