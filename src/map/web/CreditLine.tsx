import { useTranslations } from 'use-intl'
import { Anchor } from '../../kit/browser/ui/Anchor.tsx'
import { page } from '../../site-map.ts'
import type { Credit } from '../contract.ts'

/** Who is to be named for the map in use, always visible, and the page that says more. */
export function CreditLine({ credits }: { credits: Credit[] }) {
  const t = useTranslations('map')
  return (
    <ul className="flex flex-wrap justify-end gap-x-2 rounded-tl-6 bg-page/85 px-2 text-[0.6875rem] text-ink-soft [&_a]:text-ink-soft [&_li]:flex [&_li]:min-h-6 [&_li]:items-center">
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
        <Anchor href={page.mapData} className="underline">
          {t('mapData')}
        </Anchor>
      </li>
    </ul>
  )
}
