import { useEffect, type ReactNode } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useTranslations } from 'use-intl'
import { useConnection } from '../../kit/browser/connection.ts'
import { useSession } from '../../accounts/web/session.ts'
import { late } from '../../kit/browser/late.tsx'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { useUnsent } from '../../kit/browser/unsent.ts'
import { ofDevice } from '../../kit/browser/unsent-store.ts'
import { useWhen } from '../../kit/browser/when.ts'

/** Loaded on tills with unsent scans; the page works without. */
const UnsentScans = late(() => import('../../redemptions/web/UnsentScans.tsx').catch(() => ({ default: () => null })))

const againMs = 20_000

/**
 * Lines below the header: the age of what is shown, the number of unsent changes, or that a new version of the app waits. With a
 * network, sends the unsent changes.
 */
export default function OfflineLine(): ReactNode {
  const t = useTranslations('offlineLine')
  const { isOffline, asOf, update } = useConnection()
  const isVisitor = useSession() === 'user'
  const scans = useUnsent(ofDevice)
  const count = useUnsent() - scans
  const unsent = isVisitor ? count : 0
  const when = useWhen()
  useEffect(() => {
    if (isOffline || unsent === 0) return
    const send = () => void sendUnsent().catch(() => {})
    send()
    // retries, in case the server was too busy
    const timer = setInterval(send, againMs)
    return () => clearInterval(timer)
  }, [isOffline, unsent])
  const age = asOf ? t('asOf', { time: when.time(asOf) }) : t('offline')
  const text = isOffline
    ? unsent > 0
      ? `${age} ${t('unsent', { n: unsent })}`
      : age
    : unsent > 0
      ? t('sending', { n: unsent })
      : t('update')
  return (
    <>
      {(isOffline || unsent > 0 || update !== null) && (
        <TopLine label={t('title')} Icon={isOffline ? WifiOff : RotateCw}>
          <output>{text}</output>{' '}
          {!isOffline && unsent === 0 && update && (
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

async function sendUnsent() {
  const [schedule, favorites] = await Promise.all([
    import('../../schedule/web/my-schedule.ts'),
    import('../../favorites/web/saved.ts'),
  ])
  await Promise.all([schedule.sendChanges(), favorites.sendSaved()])
}
