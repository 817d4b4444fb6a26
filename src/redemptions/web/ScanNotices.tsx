import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { chf } from '../../kit/browser/measures.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { conflictReasons } from '../contract.ts'
import type { UnsentScan } from './till-store.ts'
import { allScans, followScans, isWaiting, scansOf, type ScansOf } from './unsent-scans.ts'

/** What this till has kept: scans on their way, and those that could not count, until somebody has seen them. */
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

/** When it was made, by the server's clock. */
export const momentOf = ({ scanned_at, clock_offset_ms }: UnsentScan) =>
  new Date(Date.parse(scanned_at) + (clock_offset_ms ?? 0)).toISOString()

/** Where nobody can send them: how many this device has, so that somebody unlocks it or logs in. `of` null: whose they are is not known. */
export function ScansToSend({ of, until }: { of: ScansOf | null; until: 'unlock' | 'login' }) {
  const t = useTranslations('redeem')
  const n = useSyncExternalStore(followScans, () => (of ? scansOf(of) : allScans()).filter(isWaiting).length)
  return n > 0 && <Notice kind="offline">{t(until === 'unlock' ? 'sentOnUnlock' : 'sentOnLogin', { n })}</Notice>
}

/** After a scan was stored: that it waits, or was sent. Of a conflict the notice above says enough. */
export function ScanStored({ state, onNext }: { state: 'waiting' | 'conflict' | 'sent'; onNext: () => void }) {
  const t = useTranslations('redeem')
  return (
    <div className="grid gap-4">
      {state === 'waiting' && (
        <Notice kind="offline" title={t('kept')}>
          <p>{t('keptText')}</p>
        </Notice>
      )}
      {state === 'sent' && <Notice kind="success" title={t('keptSent')} />}
      <Button variant="primary" size="lg" wide onClick={onNext}>
        {t('next')}
      </Button>
    </div>
  )
}
