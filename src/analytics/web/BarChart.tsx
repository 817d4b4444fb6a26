import { useNumbers } from '../../kit/browser/measures.ts'
import { useWide } from '../../kit/browser/use-wide.ts'
import { ticksUpTo } from './findings.ts'

export interface Bar {
  /** Below the bar; drawn where there is room. */
  label: string
  /** In full, for the tooltip. */
  name: string
  value: number
  isTop?: boolean
}

const height = 220
const left = 40
const bottom = 26
const top = 10

/** Bars over time. `name`: the finding in one sentence; the numbers are in a table beside the chart. */
export function BarChart({ bars, name }: { bars: Bar[]; name: string }) {
  const isWide = useWide()
  const { number } = useNumbers()
  const width = isWide ? 960 : 350
  const ticks = ticksUpTo(Math.max(...bars.map(({ value }) => value)))
  const most = ticks.at(-1)!
  const y = (value: number) => height - bottom - (value / most) * (height - bottom - top)
  const step = (width - left) / bars.length
  const gap = Math.min(step * 0.25, 8)
  // a label is about 44 units wide
  const every = Math.max(1, Math.ceil(52 / step))
  return (
    <svg {...{ role: 'img' }} aria-label={name} viewBox={`0 0 ${width} ${height}`} className="w-full text-water">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} stroke="var(--hair)" strokeWidth={1} />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end" fontSize={12} fill="var(--ink-soft)">
            {number(tick)}
          </text>
        </g>
      ))}
      {bars.map(({ label, name: whole, value, isTop }, index) => (
        <g key={whole}>
          <rect
            x={left + index * step + gap / 2}
            y={value === 0 ? y(0) - 1 : y(value)}
            width={Math.max(1, step - gap)}
            height={value === 0 ? 1 : y(0) - y(value)}
            className={isTop ? 'fill-action' : 'fill-current'}
          >
            <title>{`${whole}: ${number(value)}`}</title>
          </rect>
          {index % every === 0 && (
            <text
              x={left + (index + 0.5) * step}
              y={height - 8}
              textAnchor="middle"
              fontSize={12}
              fill="var(--ink-soft)"
            >
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}
