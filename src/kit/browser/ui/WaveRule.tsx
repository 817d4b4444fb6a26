/**
 * The signature: one line that is the sound wave and the river's bend. Swells of different height come and go,
 * the line between them is still water.
 */
export function WaveRule({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 2880 40"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`pointer-events-none block h-10 w-full ${className}`}
    >
      <path d={wavePath(2880, 20, 17)} />
    </svg>
  )
}

/** A line of smooth half waves `width` px long around height `middle`, in swells of at most `height`; the same every time. */
export function wavePath(width: number, middle: number, height: number, step = 12): string {
  let d = `M0 ${middle}`
  for (let k = 0; k * step < width; k++) {
    const x = k * step - width / 2
    const swell = Math.max(0, Math.cos((x / 480) * Math.PI * 2)) ** 1.6
    const breath = 0.55 + 0.45 * Math.cos(x / 310)
    const lift = height * Math.max(0.07, swell * breath) * (k % 2 ? 1 : -1)
    // 4/3 of the lift at both control points makes the half wave exactly `lift` high
    d += `c4 ${round(lift * 1.333)} 8 ${round(lift * 1.333)} ${step} 0`
  }
  return d
}

const round = (value: number) => Math.round(value * 10) / 10
