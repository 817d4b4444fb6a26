import { useTranslations } from 'use-intl'
import { Anchor } from '../../kit/browser/ui/Anchor.tsx'
import { page } from '../../site-map.ts'
import type { Credit } from '../contract.ts'

/** Who is to be named for the map in use, always visible, and the page that says more. */
export function CreditLine({ credits }: { credits: Credit[] }) {
  const t = useTranslations('map')
  return (
    <p className="rounded-tl-6 bg-page/85 px-2 py-0.5 text-right text-[0.6875rem] leading-snug text-ink-soft [&_a]:text-ink-soft">
      {credits.map(({ text, href }) => (
        <span key={text}>
          {href && /^https?:\/\//.test(href) ? (
            <a href={href} rel="noreferrer" className="underline">
              {text}
            </a>
          ) : (
            text
          )}
          {' · '}
        </span>
      ))}
      <Anchor href={page.mapData} className="underline">
        {t('mapData')}
      </Anchor>
    </p>
  )
}
