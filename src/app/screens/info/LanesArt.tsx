/** The drawing of an information page: a sign in coloured lanes like the river's bend, with a lantern as its dot. */
export type LanesShape = 'question' | 'signature' | 'keyhole'

const shapes: Record<LanesShape, { viewBox: string; path: string; lantern: [number, number, number] }> = {
  // a question mark whose foot is the lantern
  question: {
    viewBox: '0 0 480 600',
    path: 'M82 232a154 154 0 1 1 236 131c-52 33-82 53-82 107',
    lantern: [236, 548, 40],
  },
  // a name signed in one wave, closed by a full stop
  signature: {
    viewBox: '0 0 640 400',
    path: 'M62 400V230a100 100 0 0 1 200 0a100 100 0 0 0 200 0V110',
    lantern: [580, 330, 46],
  },
  // an arch, and in it the hole for the key
  keyhole: { viewBox: '0 0 480 440', path: 'M90 480V250a150 150 0 0 1 300 0v230', lantern: [240, 300, 46] },
}

const lanes: [width: number, ink: string][] = [
  [124, 'stroke-coral'],
  [92, 'stroke-page'],
  [60, 'stroke-water'],
  [28, 'stroke-ink'],
]

export function LanesArt({ shape, className = '' }: { shape: LanesShape; className?: string }) {
  const { viewBox, path, lantern } = shapes[shape]
  const [cx, cy, r] = lantern
  return (
    <svg viewBox={viewBox} preserveAspectRatio="xMidYMax meet" aria-hidden="true" fill="none" className={className}>
      {lanes.map(([width, ink]) => (
        <path key={width} d={path} strokeWidth={width} className={ink} />
      ))}
      <circle cx={cx} cy={cy} r={r} className="fill-lantern" />
      {shape === 'keyhole' && <path d="m240 320 34 160h-68z" className="fill-lantern" />}
    </svg>
  )
}
