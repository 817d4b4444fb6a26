import { useTranslations } from 'use-intl'
import { dealsPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { useLang } from './use-lang.ts'

/** The merchant's description, tags and terms. */
export function DealWords({ deal }: { deal: Deal }) {
  const t = useTranslations('deal')
  const lang = useLang(deal)
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-12">
      <section aria-labelledby="about" className="grid content-start gap-3">
        <h2 id="about">{t('about')}</h2>
        <p className="max-w-prose text-lg whitespace-pre-line [overflow-wrap:anywhere]">
          {deal.description ? (
            <span lang={lang}>{deal.description}</span>
          ) : (
            <span className="text-ink-soft">{t('noDescription')}</span>
          )}
        </p>
        {deal.tags.length > 0 && (
          <ul aria-label={t('tags')} className="flex flex-wrap gap-2 pt-2">
            {deal.tags.map((tag) => (
              <li key={tag}>
                <a
                  href={dealsPage({ category: tag })}
                  className="inline-flex min-h-11 items-center rounded-6 border-2 border-hair px-3 text-sm font-semibold text-ink no-underline hover:border-ink"
                >
                  {tag}
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
      {deal.terms && (
        <section
          aria-labelledby="terms"
          className="grid content-start gap-2 rounded-6 border-2 border-rule bg-surface p-4 lg:self-start"
        >
          <h2 id="terms" className="text-xl">
            {t('terms')}
          </h2>
          <p lang={lang} className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
            {deal.terms}
          </p>
        </section>
      )}
    </div>
  )
}
