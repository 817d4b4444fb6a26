import { useMemo } from 'react'
import { encodeQR } from 'qr'

/** In modules, as the standard asks for. */
const quietZone = 4

/** A QR code in black on white in both themes, as tills read it best. Its code comes with the screen: there may be no network. */
export function QrCode({ payload, label }: { payload: string; label: string }) {
  const { size, path } = useMemo(() => drawn(encodeQR(payload, 'raw', { ecc: 'medium', border: quietZone })), [payload])
  return (
    <>
      <span className="sr-only">{label}</span>
      <svg
        aria-hidden="true"
        data-payload={payload}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="aspect-square w-full bg-[#fff] fill-[#000]"
      >
        <path d={path} />
      </svg>
    </>
  )
}

/** One path, a rectangle for each run of dark modules. */
function drawn(modules: boolean[][]): { size: number; path: string } {
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
