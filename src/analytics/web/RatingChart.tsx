import { useWide } from '../../kit/browser/use-wide.ts'
import type { Analytics } from '../contract.ts'

const height = 160
const left = 40
const pad = 14

/** The mean of all ratings so far, at the end of each day, between 1 and 5. */
export function RatingChart({ days, name }: { days: Analytics['ratings']; name: string }) {
  const isWide = useWide()
  const width = isWide ? 960 : 350
  const y = (stars: number) => pad + ((5 - stars) / 4) * (height - 2 * pad)
  const x = (index: number) => left + (days.length < 2 ? 0.5 : index / (days.length - 1)) * (width - left - pad)
  const points = days.flatMap(({ mean }, index) => (mean === null ? [] : [[x(index), y(mean)] as const]))
  const last = points.at(-1)
  return (
    <svg {...{ role: 'img' }} aria-label={name} viewBox={`0 0 ${width} ${height}`} className="w-full text-water">
      {[1, 2, 3, 4, 5].map((stars) => (
        <g key={stars}>
          <line x1={left} x2={width} y1={y(stars)} y2={y(stars)} stroke="var(--hair)" strokeWidth={1} />
          <text x={left - 8} y={y(stars) + 4} textAnchor="end" fontSize={12} fill="var(--ink-soft)">
            {stars}
          </text>
        </g>
      ))}
      <polyline
        points={points.map((point) => point.join(',')).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={3}
        strokeLinejoin="round"
      />
      {last && <circle cx={last[0]} cy={last[1]} r={5} className="fill-action" />}
    </svg>
  )
}
