import { useTranslations } from 'use-intl'
import { page } from '../../site-map.ts'

/** Poster beside the form on wide screens. On phones only its line about the Help Center is shown. */
export function ContactPoster() {
  const t = useTranslations('contact')
  return (
    <div className="river relative overflow-clip border-rule bg-river max-lg:border-t-2 lg:border-l-2">
      <svg
        viewBox="0 0 600 820"
        preserveAspectRatio="xMinYMax slice"
        aria-hidden="true"
        fill="none"
        className="absolute inset-0 size-full max-lg:hidden"
      >
        {arcs.map(([r, ink]) => (
          <circle key={r} cx="130" cy="700" r={r} strokeWidth="44" className={ink} />
        ))}
        <circle cx="130" cy="700" r="66" className="fill-lantern" />
      </svg>
      <p className="relative px-[clamp(min(1rem,5vw),3.4vw,2.5rem)] py-8 text-lg text-on-deep lg:max-w-[26ch] lg:py-16">
        {t.rich('helpFirst', {
          help: (chunks) => (
            <a href={page.help} className="link">
              {chunks}
            </a>
          ),
        })}
      </p>
    </div>
  )
}

const arcs: [r: number, ink: string][] = [
  [136, 'stroke-coral'],
  [200, 'stroke-paper'],
  [264, 'stroke-night'],
  [328, 'stroke-water'],
  [392, 'stroke-paper'],
  [456, 'stroke-night'],
]
