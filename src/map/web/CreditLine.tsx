import { useId, useState } from 'react'
import Info from 'lucide-react/icons/info'
import { useTranslations } from 'use-intl'
import { page } from '../../site-map.ts'
import type { Credit } from '../contract.ts'

/**
 * The credits of the map in use, with a link to more: a line on wide maps, behind a button on narrow ones. The map is the container
 * for container queries.
 */
export function CreditLine({ credits }: { credits: Credit[] }) {
  const t = useTranslations('map')
  const [isOpen, open] = useState(false)
  const id = useId()
  return (
    <>
      <ul
        id={id}
        className={`flex-wrap gap-x-2 text-[0.6875rem] text-ink-soft @max-2xl:absolute @max-2xl:right-11 @max-2xl:bottom-1 @max-2xl:w-max @max-2xl:max-w-[calc(100cqw-3.5rem)] @max-2xl:rounded-6 @max-2xl:border-2 @max-2xl:border-rule @max-2xl:bg-page @max-2xl:px-3 @max-2xl:py-1 @2xl:flex @2xl:justify-end @2xl:rounded-tl-6 @2xl:bg-page/85 @2xl:px-2 [&_a]:text-ink-soft [&_li]:flex [&_li]:min-h-6 [&_li]:items-center @max-2xl:[&_li]:min-h-8 ${isOpen ? 'flex' : 'hidden'}`}
      >
        {credits.map(({ text, href }) => (
          <li key={text}>
            {href && /^https?:\/\//.test(href) ? (
              <a href={href} rel="noreferrer" className="underline">
                {text}
              </a>
            ) : (
              text
            )}
          </li>
        ))}
        <li>
          <a href={page.mapData} className="underline">
            {t('mapData')}
          </a>
        </li>
      </ul>
      <button
        type="button"
        aria-label={t('credits')}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => open(!isOpen)}
        className="grid size-11 cursor-pointer place-items-center @2xl:hidden"
      >
        <span className="grid size-7 place-items-center rounded-full border-2 border-rule bg-surface text-ink">
          <Info aria-hidden="true" className="size-4" />
        </span>
      </button>
    </>
  )
}
