import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { ButtonLink } from './Button.tsx'

/** Links to pages: previous, at most seven numbers, next. `label` names the landmark. */
export function Pagination({
  page,
  pages,
  hrefFor,
  label,
  previous,
  next,
}: {
  page: number
  pages: number
  hrefFor: (page: number) => string
  label: string
  previous: string
  next: string
}) {
  if (pages < 2) return null
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-2">
      {page > 1 && (
        <ButtonLink href={hrefFor(page - 1)} rel="prev" icon={<ArrowLeft aria-hidden="true" className="size-5" />}>
          {previous}
        </ButtonLink>
      )}
      <ol className="flex items-center gap-1 max-sm:hidden">
        {pageNumbers(page, pages).map((number, index) => (
          <li key={number ?? `gap-${index}`}>
            {number === null ? (
              <span aria-hidden="true" className="px-1 text-ink-soft">
                …
              </span>
            ) : (
              <a
                href={hrefFor(number)}
                aria-current={number === page ? 'page' : undefined}
                className="figure grid size-11 place-items-center rounded-6 border-2 border-transparent text-ink no-underline hover:bg-well aria-[current=page]:bg-ink aria-[current=page]:text-page"
              >
                {number}
              </a>
            )}
          </li>
        ))}
      </ol>
      <span className="figure px-2 sm:hidden">
        {page} / {pages}
      </span>
      {page < pages && (
        <ButtonLink href={hrefFor(page + 1)} rel="next">
          {next}
          <ArrowRight aria-hidden="true" className="size-5" />
        </ButtonLink>
      )}
    </nav>
  )
}

/** The first, the last, the current page and its neighbours; `null` for a gap. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages)
  const numbers = [...new Set(wanted)].sort((a, b) => a - b)
  return numbers.flatMap((number, index) => (index > 0 && number - numbers[index - 1]! > 1 ? [null, number] : [number]))
}
