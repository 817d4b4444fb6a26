import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { chf } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { usePages } from '../../kit/browser/use-pages.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { listRedemptions, type Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import { UndoButton } from './UndoButton.tsx'

/** Few, so that phones reach what is below the list. */
const pageSize = 10

/** Redemptions of the business, newest first, with undo. Reloaded when `changes` grows. */
export function Redemptions({ changes, undo }: { changes: number; undo: TillCalls['undo'] }) {
  const t = useTranslations('redeem')
  const {
    items: rows,
    isCut,
    refused,
    more,
    again,
  } = usePages(listRedemptions, (query) => ({ as: 'background', query }), pageSize)
  useEffect(() => {
    if (changes > 0) again()
  }, [changes, again])
  return (
    <section aria-labelledby="redemptions" className="grid content-start gap-4">
      <h2 id="redemptions">{t('list')}</h2>
      {refused && <NotLoaded refused={refused} again={again} />}
      {!rows && !refused && <Waiting sizes={['h-40']} />}
      {rows?.length === 0 && <p className="text-ink-soft">{t('listEmpty')}</p>}
      {rows && rows.length > 0 && (
        <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
          {rows.map((row) => (
            <Row key={row.redemption_id} row={row} undo={undo} changed={again} />
          ))}
        </ul>
      )}
      {isCut && (
        <Button onClick={more} className="justify-self-start">
          {t('more')}
        </Button>
      )}
    </section>
  )
}

function Row({ row, undo, changed }: { row: Redemption; undo: TillCalls['undo']; changed: () => void }) {
  const t = useTranslations('redeem')
  const when = useWhen()
  const counts = row.state === 'redeemed'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <span className="grid min-w-0 flex-[1_1_8rem]">
        <span className={`font-semibold [overflow-wrap:anywhere] ${counts ? '' : 'text-ink-soft line-through'}`}>
          {row.deal_name ?? t('unknownDeal')}
        </span>
        <span className="text-sm text-ink-soft">
          {[when.rowTime(row.redeemed_at), row.device_name].filter(Boolean).join(', ')}
        </span>
        {row.state === 'undone' && <span className="text-sm font-semibold">{t('undone')}</span>}
        {row.reason && <span className="text-sm font-semibold text-wine-text">{t(`reason.${row.reason}`)}</span>}
      </span>
      <span className="grid justify-items-end gap-1">
        <span className={`figure text-lg whitespace-nowrap ${counts ? '' : 'text-ink-soft line-through'}`}>
          {chf(row.amount_chf)}
        </span>
        {row.undo_until && <UndoButton id={row.redemption_id} until={row.undo_until} undo={undo} changed={changed} />}
      </span>
    </li>
  )
}
