import { Info } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Anchor } from '../../kit/browser/ui/Anchor.tsx'
import { page } from '../../site-map.ts'
import type { Credit } from '../contract.ts'

/**
 * Who is to be named for the map in use, and the page that says more: a line on wide maps, behind a button on narrow
 * ones. The map around it is the container.
 */
export function CreditLine({ credits }: { credits: Credit[] }) {
  const t = useTranslations('map')
  const items = <Credits credits={credits} />
  return (
    <>
      <ul className={`${text} hidden justify-end rounded-tl-6 bg-page/85 px-2 @2xl:flex [&_li]:min-h-6`}>{items}</ul>
      <details className="relative @2xl:hidden">
        <summary
          aria-label={t('credits')}
          className="grid size-11 cursor-pointer list-none place-items-center [&::-webkit-details-marker]:hidden"
        >
          <span className="grid size-7 place-items-center rounded-full border-2 border-rule bg-surface text-ink">
            <Info aria-hidden="true" className="size-4" />
          </span>
        </summary>
        <ul
          className={`${text} absolute flex right-11 bottom-1 w-max max-w-[calc(100cqw-3.5rem)] rounded-6 border-2 border-rule bg-page px-3 py-1 [&_li]:min-h-8`}
        >
          {items}
        </ul>
      </details>
    </>
  )
}

const text = 'flex-wrap gap-x-2 text-[0.6875rem] text-ink-soft [&_a]:text-ink-soft [&_li]:flex [&_li]:items-center'

function Credits({ credits }: { credits: Credit[] }) {
  const t = useTranslations('map')
  return (
    <>
      {credits.map(({ text: name, href }) => (
        <li key={name}>
          {href && /^https?:\/\//.test(href) ? (
            <a href={href} rel="noreferrer" className="underline">
              {name}
            </a>
          ) : (
            name
          )}
        </li>
      ))}
      <li>
        <Anchor href={page.mapData} className="underline">
          {t('mapData')}
        </Anchor>
      </li>
    </>
  )
}
