import { useTranslations } from 'use-intl'
import { chf } from '../../kit/shared/numbers.ts'
import type { Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import type { RecentRedemption } from './till-store.ts'
import { UndoButton } from './UndoButton.tsx'

/** Recent redemptions of this redeem-only device, which sees nothing else of its business. */
export function RecentRedemptions({
  redemptions,
  undo,
  changed,
}: {
  redemptions: RecentRedemption[]
  undo: TillCalls['undo']
  changed: (redemption: Redemption) => void
}) {
  const t = useTranslations('redeem')
  return (
    <section aria-labelledby="recent" className="grid content-start gap-4">
      <h2 id="recent">{t('recent')}</h2>
      {redemptions.length === 0 && <p className="text-ink-soft">{t('listEmpty')}</p>}
      {redemptions.length > 0 && (
        <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
          {redemptions.map((row) => (
            <li key={row.redemption_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
              <span className="grid min-w-0 flex-[1_1_8rem]">
                <span
                  className={`font-semibold [overflow-wrap:anywhere] ${row.undone ? 'text-ink-soft line-through' : ''}`}
                >
                  {row.deal_name}
                </span>
                {row.undone && <span className="text-sm font-semibold">{t('undone')}</span>}
              </span>
              <span className="grid justify-items-end gap-1">
                <span className="figure text-lg whitespace-nowrap">{chf(row.amount_chf)}</span>
                {!row.undone && (
                  <UndoButton id={row.redemption_id} until={row.undo_until} undo={undo} changed={changed} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
