import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { chf } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { conflictReasons } from '../contract.ts'
import type { UnsentScan } from './till-store.ts'
import { allScans, followScans, isWaiting, scansOf, type ScansOf } from './unsent-scans.ts'

/** Unsent scans of this till, and conflicts until somebody has read them. */
export function ScanNotices({
  waiting,
  conflicts,
  seen,
}: {
  waiting: UnsentScan[]
  conflicts: UnsentScan[]
  seen: (key: string) => void
}) {
  const t = useTranslations('redeem')
  const when = useWhen()
  const at = (scan: UnsentScan) => when.clock(momentOf(scan))
  const why = (conflict: string | null) =>
    t(`conflictReason.${conflictReasons.find((reason) => reason === conflict) ?? 'other'}`)
  return (
    <>
      {waiting.length > 0 && <Notice kind="offline">{t('waiting', { n: waiting.length })}</Notice>}
      {conflicts.map((scan) => (
        <Notice
          key={scan.key}
          kind="error"
          title={t('conflict', { time: at(scan), amount: chf(scan.amount_chf) })}
          action={<Button onClick={() => seen(scan.key)}>{t('seen')}</Button>}
        >
          <p>{why(scan.conflict)}</p>
        </Notice>
      ))}
    </>
  )
}

/** When the scan was made, by the server's clock. */
export const momentOf = ({ scanned_at, clock_offset_ms }: UnsentScan) =>
  new Date(Date.parse(scanned_at) + (clock_offset_ms ?? 0)).toISOString()

/** The number of unsent scans while nobody is logged in to send them. `of` null: of any business. */
export function ScansToSend({ of, until }: { of: ScansOf | null; until: 'unlock' | 'login' }) {
  const t = useTranslations('redeem')
  const n = useSyncExternalStore(followScans, () => (of ? scansOf(of) : allScans()).filter(isWaiting).length)
  return n > 0 && <Notice kind="offline">{t(until === 'unlock' ? 'sentOnUnlock' : 'sentOnLogin', { n })}</Notice>
}

/** After a scan was stored: it waits, or was sent. A conflict has its own notice above. */
export function ScanStored({ state, onNext }: { state: 'waiting' | 'conflict' | 'sent'; onNext: () => void }) {
  const t = useTranslations('redeem')
  return (
    <div className="grid gap-4">
      {state === 'waiting' && (
        <Notice kind="offline" title={t('scanStored')}>
          <p>{t('scanStoredText')}</p>
        </Notice>
      )}
      {state === 'sent' && <Notice kind="success" title={t('scanSent')} />}
      <Button variant="primary" size="lg" wide onClick={onNext}>
        {t('next')}
      </Button>
    </div>
  )
}
