import { useMemo } from 'react'
import { drawQr } from '../../kit/shared/qr-code.ts'

/** A QR code, black on white in both themes, which tills read best. Not loaded lazily: there may be no network. */
export function QrCode({ payload, label }: { payload: string; label: string }) {
  const { size, path } = useMemo(() => drawQr(payload), [payload])
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
