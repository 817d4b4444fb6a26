import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { chf } from '../../kit/browser/measures.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { listRedemptions, type Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import { UndoButton } from './UndoButton.tsx'

/** Few, so that phones reach what is below the list. */
const pageSize = 10

/** Redemptions of the business, newest first, with undo. Reloaded when `changes` grows. */
export function Redemptions({ changes, undo }: { changes: number; undo: TillCalls['undo'] }) {
  const t = useTranslations('redeem')
  const [rows, setRows] = useState<Redemption[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [isLoading, setLoading] = useState(false)
  const more = async (after: string) => {
    setLoading(true)
    await load(after)
    setLoading(false)
  }
  const load = async (after?: string, left?: AbortSignal) => {
    const { answer, refused } = await ask(callByFetch, listRedemptions, {
      as: after ? 'action' : 'background',
      query: { limit: pageSize, after },
    })
    if (left?.aborted) return
    setRefused(refused)
    if (!answer) return
    setNext(answer.next)
    setRows((before) => (after ? [...(before ?? []), ...answer.body] : answer.body))
  }
  const loadFirst = useEffectEvent((left: AbortSignal) => void load(undefined, left))
  useEffect(() => {
    const left = new AbortController()
    loadFirst(left.signal)
    return () => left.abort()
  }, [changes])
  const replace = (changed: Redemption) =>
    setRows((all) => all?.map((row) => (row.redemption_id === changed.redemption_id ? changed : row)) ?? null)
  return (
    <section aria-labelledby="redemptions" className="grid content-start gap-4">
      <h2 id="redemptions">{t('list')}</h2>
      {refused && (
        <NotLoaded
          refused={refused}
          again={() => void load()}
          text={{ failed: t(refused.status === 0 ? 'listOffline' : 'failed'), again: t('again') }}
        />
      )}
      {!rows && !refused && <Skeleton className="h-40" />}
      {rows?.length === 0 && <p className="text-ink-soft">{t('listEmpty')}</p>}
      {rows && rows.length > 0 && (
        <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
          {rows.map((row) => (
            <Row key={row.redemption_id} row={row} undo={undo} changed={replace} />
          ))}
        </ul>
      )}
      {next && (
        <Button loading={isLoading} onClick={() => void more(next)} className="justify-self-start">
          {t('more')}
        </Button>
      )}
    </section>
  )
}

function Row({ row, undo, changed }: { row: Redemption; undo: TillCalls['undo']; changed: (row: Redemption) => void }) {
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
          {[when.time(row.redeemed_at), row.device_name].filter(Boolean).join(', ')}
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
