import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { getStats } from '../../businesses/contract.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { useNumbers } from '../../kit/browser/measures.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { page } from '../../site-map.ts'

/** The figures of FREE, and what other tiers add. */
export function ThreeFigures({ businessId }: { businessId: string }) {
  const t = useTranslations('analytics')
  const { number } = useNumbers()
  const { body, refused, again } = useAnswer(getStats, { as: 'background', params: { business_id: businessId } })
  const figures = [
    ['profileViews', number(body?.profileViews ?? 0)],
    ['dealClicks', number(body?.dealClicks ?? 0)],
    ['salesHead', chfShort(body?.sales ?? 0)],
  ] as const
  return (
    <>
      {refused && <NotLoaded refused={refused} again={again} />}
      <dl
        aria-busy={(!body && !refused) || undefined}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-3 sm:grid-cols-3 sm:gap-5"
      >
        {figures.map(([label, figure]) => (
          <div
            key={label}
            className="grid content-between gap-2 rounded-6 border-2 border-rule bg-surface p-4 last:max-sm:col-[1/-1]"
          >
            <dt className="text-sm font-semibold wrap-anywhere">{t(label)}</dt>
            <dd className="figure text-3xl leading-none wrap-anywhere">{figure}</dd>
          </div>
        ))}
      </dl>
      <section
        aria-labelledby="more"
        className="grid grid-cols-1 justify-items-start gap-4 rounded-6 border-2 border-dashed border-rule p-5"
      >
        <h2 id="more" className="text-xl wrap-anywhere">
          {t('moreTitle')}
        </h2>
        <p className="max-w-[60ch]">{t('moreText')}</p>
        <ButtonLink href={page.upgrade} variant="primary">
          {t('plans')}
        </ButtonLink>
      </section>
    </>
  )
}
