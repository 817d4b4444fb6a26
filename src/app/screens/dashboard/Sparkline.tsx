const width = 84
const height = 24

/** A line of numbers, the newest last. `label`: the numbers in words, for screen readers. */
export function Sparkline({ values, label }: { values: number[]; label: string }) {
  if (values.length < 2) return null
  const most = Math.max(1, ...values)
  const points = values.map((value, at) => {
    const x = 2 + (at * (width - 4)) / (values.length - 1)
    const y = height - 3 - (value / most) * (height - 6)
    return [x, y] as const
  })
  const last = points.at(-1)!
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...{ role: 'img' }}
      aria-label={label}
      className="overflow-visible text-water"
    >
      <polyline
        points={points.map((point) => point.join(',')).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <circle cx={last[0]} cy={last[1]} r={3} className="fill-action" />
    </svg>
  )
}
