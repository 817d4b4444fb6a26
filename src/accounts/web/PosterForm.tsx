import type { ReactNode } from 'react'

export type Motif = 'river' | 'awning' | 'key' | 'letter'

/** Page with one form beside a poster. On phones the poster is a band above the form; on wide screens it fills the left half. */
export function PosterForm({
  title,
  lead,
  overline,
  motif,
  tight = false,
  children,
}: {
  title: string
  lead?: string | undefined
  overline?: string
  motif: Motif
  /** Hides the line below the headline on phones. */
  tight?: boolean
  children: ReactNode
}) {
  return (
    <div data-page="poster" className="grid lg:min-h-[calc(100dvh-4rem)] lg:grid-cols-[minmax(0,0.92fr)_minmax(0,1fr)]">
      <div className="@container river relative grid content-end overflow-clip border-rule bg-river max-lg:min-h-[176px] max-lg:border-b-2 sm:max-lg:min-h-[224px] lg:sticky lg:top-16 lg:h-[calc(100dvh-4rem)] lg:content-start lg:border-r-2">
        <svg
          viewBox="0 0 600 820"
          preserveAspectRatio={motif === 'key' ? 'xMaxYMid slice' : 'xMaxYMax slice'}
          aria-hidden="true"
          fill="none"
          className="absolute inset-0 size-full max-lg:hidden"
        >
          {drawings[motif]}
        </svg>
        {/* on phones the heart of the same drawing, at the band's right end; large type needs its place */}
        <svg
          viewBox={hearts[motif]}
          preserveAspectRatio={motif === 'awning' ? 'xMinYMin slice' : 'xMaxYMid slice'}
          aria-hidden="true"
          fill="none"
          className={`absolute inset-y-0 right-0 hidden h-full max-w-80 @min-[17rem]:max-lg:block ${motif === 'awning' ? 'w-[36%]' : 'w-[46%]'}`}
        >
          {drawings[motif]}
        </svg>
        <div className="relative grid gap-3 px-[clamp(1rem,3.4vw,2.5rem)] py-6 @min-[17rem]:max-lg:pr-[42%] lg:py-16 lg:pr-10 lg:pl-[max(2.5rem,calc((100vw-80rem)/2))]">
          {overline && <p className="figure text-lg text-lantern lg:text-2xl">{overline}</p>}
          <h1 className="text-[min(var(--text-3xl),5vw+0.65rem)] text-paper hyphens-auto sm:text-4xl lg:text-[clamp(3rem,4.6vw,4.75rem)] lg:leading-[0.95] [overflow-wrap:anywhere]">
            {title}
          </h1>
          {lead && (
            <p className={`max-w-[30ch] text-on-deep max-sm:text-sm lg:text-lg ${tight ? 'max-sm:sr-only' : ''}`}>
              {lead}
            </p>
          )}
        </div>
      </div>
      <div className="grid w-full grid-cols-1 content-start gap-6 px-[clamp(1rem,3.4vw,2.5rem)] py-8 max-lg:mx-auto max-lg:max-w-2xl md:py-12 lg:max-w-[38rem] lg:px-14 lg:py-16">
        {children}
      </div>
    </div>
  )
}

/** Links to other pages below the form. */
export function OtherWays({ children }: { children: ReactNode }) {
  return <div className="grid gap-2 border-t-2 border-hair pt-5 [&_p]:py-1">{children}</div>
}

const lanes = (inks: string[], x: number, y: number, first: number, step: number) =>
  inks.map((ink, lane) => {
    const r = first + lane * step
    return (
      <path
        key={lane}
        strokeWidth={step * 0.7}
        className={ink}
        d={`M${x - r} 900V${y}A${r} ${r} 0 0 1 ${x} ${y - r}H700`}
      />
    )
  })

/** The part of each drawing that phones show. */
const hearts: Record<Motif, string> = {
  river: '60 240 540 540',
  awning: '300 424 300 310',
  key: '20 270 580 820',
  letter: '150 250 450 450',
}

const drawings: Record<Motif, ReactNode> = {
  // the river's bend with the lantern in its elbow
  river: (
    <>
      {lanes(['stroke-coral', 'stroke-paper', 'stroke-night', 'stroke-water', 'stroke-paper'], 470, 640, 104, 62)}
      <circle cx="486" cy="664" r="56" className="fill-lantern" />
    </>
  ),
  // a stall's awning over the lit counter
  awning: (
    <>
      <path d="M0 590H600V820H0z" className="fill-night" />
      <circle cx="430" cy="640" r="74" className="fill-lantern" />
      <path d="M0 700q50-34 100 0t100 0 100 0 100 0 100 0 100 0V820H0z" className="fill-water" />
      <path d="M0 762q50-34 100 0t100 0 100 0 100 0 100 0 100 0V820H0z" className="fill-river" />
      {[0, 1, 2, 3, 4, 5].map((stripe) => (
        <path
          key={stripe}
          d={`M${stripe * 100} 430h100v84a50 50 0 0 1-100 0z`}
          className={stripe % 2 ? 'fill-paper' : 'fill-coral'}
        />
      ))}
      <path d="M0 430H600" strokeWidth="14" className="stroke-night" />
    </>
  ),
  // a keyhole that is a lantern, with the sound around it
  key: (
    <>
      {[110, 178, 246, 314].map((r, ring) => (
        <circle
          key={r}
          cx="440"
          cy="680"
          r={r}
          strokeWidth="40"
          className={['stroke-coral', 'stroke-paper', 'stroke-water', 'stroke-paper'][ring]}
        />
      ))}
      <circle cx="440" cy="680" r="64" className="fill-lantern" />
      <path d="M440 654a22 22 0 0 1 12 40l10 40h-44l10-40a22 22 0 0 1 12-40z" className="fill-night" />
    </>
  ),
  // a letter on the water
  letter: (
    <>
      <path d="M0 640q50-34 100 0t100 0 100 0 100 0 100 0 100 0V820H0z" className="fill-water max-lg:hidden" />
      <g transform="rotate(-6 400 560)">
        <path d="M210 450H590V690H210z" className="fill-paper" />
        <path d="M210 450L400 590 590 450" strokeWidth="16" className="stroke-night" />
        <path d="M210 450H590V690H210z" strokeWidth="10" className="stroke-night" />
        <circle cx="400" cy="592" r="30" className="fill-coral" />
      </g>
      <path d="M0 712q50-34 100 0t100 0 100 0 100 0 100 0 100 0V820H0z" className="fill-night max-lg:hidden" />
      <circle cx="520" cy="330" r="58" className="fill-lantern" />
    </>
  ),
}
