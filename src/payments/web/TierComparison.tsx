import Check from 'lucide-react/icons/check'
import { useTranslations } from 'use-intl'
import type { PaidTier } from '../policy.ts'

export const tierNames = { FREE: 'Free', PREMIUM: 'Premium', ULTIMATE: 'Ultimate' } as const

const lines = ['deals', 'marker', 'charts', 'export', 'support'] as const
/** What each tier includes. `own`: the cell shows the tier's text instead of yes or no. */
const included: Record<(typeof lines)[number], Record<keyof typeof tierNames, boolean | 'own'>> = {
  deals: { FREE: 'own', PREMIUM: 'own', ULTIMATE: 'own' },
  marker: { FREE: false, PREMIUM: true, ULTIMATE: true },
  charts: { FREE: false, PREMIUM: true, ULTIMATE: true },
  export: { FREE: false, PREMIUM: false, ULTIMATE: true },
  support: { FREE: true, PREMIUM: true, ULTIMATE: true },
}

/** @param current the current tier; null: not known */
export function TierComparison({ current, chosen }: { current: string | null; chosen: PaidTier }) {
  const t = useTranslations('upgrade')
  const columns = ['FREE', 'PREMIUM', 'ULTIMATE'] as const
  return (
    // focusable, so that a keyboard can scroll it
    <section
      {...{ tabIndex: 0 }}
      aria-label={t('compare')}
      className="relative overflow-x-auto rounded-6 border-2 border-rule"
    >
      <table className="w-full border-collapse bg-surface text-left text-sm sm:text-base">
        <caption className="sr-only">{t('compare')}</caption>
        <thead>
          <tr>
            <td className="p-2 sm:p-3">
              <span className="sr-only">{t('compare')}</span>
            </td>
            {columns.map((tier) => (
              <th
                key={tier}
                scope="col"
                className={`border-l-2 border-rule p-2 align-bottom max-sm:px-1.5 sm:p-3 ${tier === chosen ? 'bg-lantern text-on-lantern' : ''}`}
              >
                <span className="figure block text-lg">{tierNames[tier]}</span>
                {tier === current && <span className="text-sm font-normal">{t('yours')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line} className="border-t-2 border-rule">
              <th scope="row" className="p-2 font-normal hyphens-auto max-sm:px-1.5 sm:p-3">
                {t(`lines.${line}`)}
              </th>
              {columns.map((tier) => {
                const cell = included[line][tier]
                return (
                  <td key={tier} className="border-l-2 border-rule p-2 font-semibold max-sm:px-1.5 sm:p-3">
                    {cell === 'own' ? (
                      t(`places.${tier}`)
                    ) : cell ? (
                      <>
                        <Check aria-hidden="true" className="size-5 text-moss-text" />
                        <span className="sr-only">{t('yes')}</span>
                      </>
                    ) : (
                      <span className="font-normal text-ink-soft">{t('no')}</span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
