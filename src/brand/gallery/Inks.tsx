import { CategoryGlyph } from '../CategoryGlyph.tsx'
import { LogoMark } from '../Logo.tsx'
import { categories, categoryFill, categoryText } from '../category.ts'

export function Inks() {
  return (
    <section className="shell grid gap-8 py-12">
      <h2 className="text-3xl">Inks and letters</h2>
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-6 lg:grid-cols-11">
        {categories.map((category) => (
          <li key={category} className="grid gap-1 text-sm">
            <span className={`grid aspect-square place-items-center rounded-6 ${categoryFill[category]}`}>
              <CategoryGlyph category={category} className="size-1/2" />
            </span>
            <span className={`font-semibold ${categoryText[category]}`}>{category}</span>
          </li>
        ))}
      </ul>
      <div className="flex items-end gap-2">
        <LogoMark className="size-40" />
        <LogoMark className="size-16" />
        <LogoMark className="size-8" />
        <LogoMark className="size-5" />
      </div>
      <div className="grid gap-2">
        <p className="poster-type">Zwischen Mittlerer Brücke und 22:45</p>
        <p className="figure text-4xl">in 25 min · CHF 12.–</p>
        <p className="figure text-3xl">Nachtschwärmer am Ufer</p>
        <p className="figure text-2xl">Kammerklang im Münsterhof</p>
        <p className="figure text-xl">Tanz im Gewölbe 02:00</p>
        <p className="text-lg">Quiet text, large: the ferry leaves every few minutes.</p>
        <p className="max-w-prose">
          Quiet text. Along the Rhine the bars stay open until two, and the last ferry crosses at midnight.{' '}
          <a className="link" href="#x">
            How to get home
          </a>
          , even in the rain.
        </p>
        <p className="text-sm text-ink-soft">Small and soft: 350 m, about 5 min on foot, updated 3 min ago.</p>
      </div>
    </section>
  )
}
