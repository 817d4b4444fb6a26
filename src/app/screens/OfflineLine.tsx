import { useEffect, type ReactNode } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useTranslations } from 'use-intl'
import { useConnection } from '../../kit/browser/connection.ts'
import { ownerHere, useSession } from '../../accounts/web/session.ts'
import { late } from '../../kit/browser/late.tsx'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { useLongerThan } from '../../kit/browser/use-longer-than.ts'
import { useUnsent } from '../../kit/browser/use-outbox.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { sendUnsent } from '../offline/send-unsent.ts'

/** Loaded on tills with unsent scans; the page works without. */
const UnsentScans = late(() => import('../../redemptions/web/UnsentScans.tsx').catch(() => ({ default: () => null })))

const againMs = 20_000
/** A tap with a network is sent sooner, and says nothing. */
const patienceMs = 1000

/**
 * Lines below the header: the age of what is shown, the number of unsent changes, or that a new version of the app waits. With a
 * network, sends the unsent changes.
 */
export default function OfflineLine(): ReactNode {
  const t = useTranslations('offlineLine')
  const { isOffline, asOf, update } = useConnection()
  const isLoggedIn = useSession() !== 'guest'
  const scans = useUnsent(ownerHere, 'till')
  const count = useUnsent(ownerHere) - scans
  const unsent = isLoggedIn ? count : 0
  const when = useWhen()
  const isSending = !isOffline && unsent > 0
  const isLate = useLongerThan(patienceMs, isSending)
  useEffect(() => {
    if (!isLate) return
    const send = () => void sendUnsent().catch(() => {})
    send()
    // retries, in case the server was too busy
    const timer = setInterval(send, againMs)
    return () => clearInterval(timer)
  }, [isLate, unsent])
  const age = asOf ? t('asOf', { time: when.time(asOf) }) : t('offline')
  const text = isOffline
    ? unsent > 0
      ? `${age} ${t('unsent', { n: unsent })}`
      : age
    : isLate
      ? t('sending', { n: unsent })
      : t('update')
  return (
    <>
      {(isOffline || isLate || update !== null) && (
        <TopLine label={t('title')} Icon={isOffline ? WifiOff : RotateCw}>
          <output>{text}</output>{' '}
          {!isOffline && !isLate && update && (
            <button type="button" onClick={update} className="link target font-semibold">
              {t('reload')}
            </button>
          )}
        </TopLine>
      )}
      {scans > 0 && <UnsentScans />}
    </>
  )
}
