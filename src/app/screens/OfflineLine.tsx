import { useEffect, type ReactNode } from 'react'
import { RotateCw, WifiOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useConnection } from '../../kit/browser/connection.ts'
import { useSession } from '../../accounts/web/session.ts'
import { useUnsent } from '../../kit/browser/unsent.ts'
import { useWhen } from '../../kit/browser/when.ts'

/**
 * A calm line below the header: how old what is shown is, what was not sent yet, or that a newer version of the app has come.
 * Once there is a network again it has sent what was not.
 */
export default function OfflineLine(): ReactNode {
  const t = useTranslations('offlineLine')
  const { isOffline, asOf, update } = useConnection()
  const isVisitor = useSession() === 'user'
  const count = useUnsent()
  const unsent = isVisitor ? count : 0
  const when = useWhen()
  useEffect(() => {
    // without a network after all, the next change of it tries again
    if (!isOffline && unsent > 0) void sendUnsent().catch(() => {})
  }, [isOffline, unsent])
  const Icon = isOffline ? WifiOff : RotateCw
  const age = asOf ? t('asOf', { time: when.time(asOf) }) : t('offline')
  const text = isOffline
    ? unsent > 0
      ? `${age} ${t('unsent', { n: unsent })}`
      : age
    : unsent > 0
      ? t('sending', { n: unsent })
      : t('update')
  return (
    <aside aria-label={t('title')} className="border-b-2 border-hair bg-well print-hidden">
      <div className="shell flex items-center gap-x-3">
        <Icon aria-hidden="true" className="size-5 shrink-0 text-link max-sm:hidden" />
        <p className="min-w-0 flex-1 py-2 text-sm">
          <output>{text}</output>{' '}
          {!isOffline && unsent === 0 && update && (
            <button type="button" onClick={update} className="link target font-semibold">
              {t('reload')}
            </button>
          )}
        </p>
      </div>
    </aside>
  )
}

async function sendUnsent() {
  const [schedule, favorites] = await Promise.all([
    import('../../schedule/web/my-schedule.ts'),
    import('../../favorites/web/saved.ts'),
  ])
  await Promise.all([schedule.sendChanges(), favorites.sendSaved()])
}
