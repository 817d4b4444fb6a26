/**
 * The poster of the front page: the river's bend in lanes of colour, the lantern in its elbow. Decorative. Needs a parent with a
 * position and `bg-river`: it fills the right side and is cut by the edges.
 */
export function RiverScene({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 760 640"
      preserveAspectRatio="xMinYMin slice"
      aria-hidden="true"
      fill="none"
      className={className}
    >
      {lanes.map((colour, lane) => {
        const r = 118 + lane * 64
        const y = 470 - r
        return (
          <path
            key={colour + lane}
            strokeWidth="44"
            className={colour}
            d={`M${520 - r} 900V470A${r} ${r} 0 0 1 520 ${y}q44 0 88 24t88 24t88-24t88-24t88 24t88 24t88-24t88-24`}
          />
        )
      })}
      <circle cx="548" cy="498" r="62" className="fill-lantern" />
    </svg>
  )
}

const lanes = ['stroke-coral', 'stroke-paper', 'stroke-night', 'stroke-water', 'stroke-paper', 'stroke-night']
