import ScanLine from 'lucide-react/icons/scan-line'
import { useTranslations } from 'use-intl'
import type { StatsTonight } from '../../../businesses/contract.ts'
import { useNumbers } from '../../../kit/browser/measures.ts'
import { chfShort } from '../../../kit/shared/numbers.ts'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { page } from '../../../site-map.ts'
import { Sparkline } from './Sparkline.tsx'
import { TextLink } from './TextLink.tsx'

/** What the till took since 06:00, beside the figures of a week ago, and the button of the counter. `tonight`: null until it is known. */
export function TonightRow({ tonight }: { tonight: StatsTonight | null }) {
  const t = useTranslations('dashboard')
  const { number } = useNumbers()
  return (
    <section
      aria-labelledby="tonight"
      className="grid gap-x-8 gap-y-4 rounded-6 border-2 border-rule bg-surface p-4 sm:p-5 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center"
    >
      <div className="grid min-w-0 gap-1">
        <h2 id="tonight" className="text-lg">
          {t('tonight')}
        </h2>
        <p className="figure flex min-h-[1.2em] flex-wrap items-center gap-x-6 gap-y-1 text-3xl leading-tight">
          {tonight && (
            <>
              <span>{t('redeemedTonight', { n: tonight.redeemed })}</span>
              <span>{chfShort(tonight.amount_chf)}</span>
              <Sparkline
                values={tonight.by_hour}
                label={t('byHour', { values: tonight.by_hour.map((each) => number(each)).join(', ') })}
              />
            </>
          )}
        </p>
        <p className="min-h-[1.5em] text-ink-soft">
          {tonight && t('weekBefore', { n: tonight.before.redeemed, amount: chfShort(tonight.before.amount_chf) })}
        </p>
      </div>
      <ButtonLink
        href={page.redeem}
        variant="primary"
        size="lg"
        icon={<ScanLine aria-hidden="true" className="size-5" />}
        className="max-sm:w-full sm:justify-self-start"
      >
        {t('redeem')}
      </ButtonLink>
      <p className="flex flex-wrap gap-x-5 border-t-2 border-hair pt-1 lg:col-span-2">
        <TextLink href={page.dealAnalytics}>{t('analytics')}</TextLink>
        <TextLink href={page.editBusiness}>{t('editProfile')}</TextLink>
        <TextLink href={page.promote}>{t('promoteNow')}</TextLink>
      </p>
    </section>
  )
}
