import type { ReactNode } from 'react'
import { posterType } from '../../kit/browser/ui/long-words.ts'
import { posterImage } from '../../site-map.ts'

/** A page that says one thing: a big headline, a few words and a picture, on the river at night. */
export function Placard({
  overline,
  title,
  picture,
  children,
}: {
  overline?: string
  title: string
  /** `lost`: gone under, `broken`: a misprint; otherwise the generated poster of this category and id. */
  picture: 'lost' | 'broken' | { category: string; id: string }
  children: ReactNode
}) {
  return (
    <section className="river overflow-clip bg-river">
      <div className="shell grid grid-cols-[minmax(0,1fr)] gap-10 py-10 md:min-h-[38rem] md:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)] lg:items-center lg:gap-16">
        <div className="@container grid grid-cols-[minmax(0,1fr)] gap-5 md:gap-7">
          {overline && <p className="figure text-lg text-lantern">{overline}</p>}
          <h1 className={`text-paper ${posterType(title)}`}>{title}</h1>
          <div className="grid max-w-[44ch] gap-6 text-on-deep">{children}</div>
        </div>
        <div className="max-w-[32rem] rounded-6 border-2 border-night bg-paper p-2 lg:rotate-2">
          {typeof picture === 'string' ? (
            <Drawing of={picture} />
          ) : (
            <img
              src={posterImage('event', { ...picture, title })}
              alt=""
              width={800}
              height={600}
              className="h-auto w-full"
            />
          )}
        </div>
      </div>
    </section>
  )
}

function Drawing({ of }: { of: 'lost' | 'broken' }) {
  return (
    <svg viewBox="0 0 800 600" aria-hidden="true" fill="none" className="block h-auto w-full bg-night">
      {of === 'lost' ? <SunkenLantern /> : <Misprint />}
    </svg>
  )
}

/** The lantern goes under; its light stays on the water in shorter and shorter strokes. */
function SunkenLantern() {
  return (
    <>
      <circle cx="400" cy="330" r="170" className="fill-lantern" />
      <path d={water(330)} className="fill-river" />
      <path d={water(400)} className="fill-water" />
      <path d={water(470)} className="fill-river" />
      <path d={water(540)} className="fill-night" />
      <path d="M270 368h260M310 436h180M345 506h110M372 574h56" strokeWidth="12" className="stroke-lantern" />
      <path
        d="M120 120h4M250 70h4M610 90h4M700 190h4M80 230h4"
        strokeWidth="10"
        strokeLinecap="round"
        className="stroke-paper"
      />
    </>
  )
}

const water = (y: number) => `M-20 ${y}${'q20-26 40 0t40 0'.repeat(11)}V620H-20z`

/** The river's lanes, printed in two passes that missed each other. */
function Misprint() {
  const lanes = (
    <>
      {(['stroke-coral', 'stroke-paper', 'stroke-water', 'stroke-paper', 'stroke-coral'] as const).map(
        (colour, lane) => {
          const r = 90 + lane * 62
          return (
            <path
              key={lane}
              d={`M${430 - r} 640V400A${r} ${r} 0 0 1 430 ${400 - r}H840`}
              strokeWidth="40"
              className={colour}
            />
          )
        },
      )}
      <circle cx="470" cy="440" r="58" className="fill-lantern" />
    </>
  )
  return (
    <>
      <clipPath id="misprint-upper">
        <path d="M0 0H800V250L0 370z" />
      </clipPath>
      <clipPath id="misprint-lower">
        <path d="M0 384L800 264V600H0z" />
      </clipPath>
      <g clipPath="url(#misprint-upper)">
        <g transform="translate(-46 0)">{lanes}</g>
      </g>
      <g clipPath="url(#misprint-lower)">
        <g transform="translate(52 14)">{lanes}</g>
      </g>
    </>
  )
}
