import 'texts:accountForms,schedule'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { LateScript } from '../../accounts/web/parts.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { page } from '../../site-map.ts'

const SavedPicks = late(() => import('./SavedPicks.tsx'))

/**
 * Events that a guest saved on this phone, with clashes and walks between them. Logged-in visitors are sent to their schedule.
 * `tabs`: links to all that is saved here.
 */
export default function SavedEvents({ tabs }: { tabs: ReactNode }) {
  const t = useTranslations('schedule')
  const alive = useHydrated()
  const session = useSession()
  return (
    <>
      <PageHead title={t('savedTitle')} description={t('savedDescription')} hidden />
      <div className="river overflow-clip bg-river">
        <div className="shell grid gap-2 pt-8 pb-4 md:pt-12">
          <h1 className="text-paper">{t('savedTitle')}</h1>
          <p className="text-lg text-on-deep">{t('savedLead')}</p>
        </div>
        <WaveRule className="text-coral" />
      </div>
      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
        <noscript>
          <Notice kind="warn">{t('noScript')}</Notice>
        </noscript>
        <LateScript kind="page" />
        {tabs}
        {alive && session === 'user' && <Navigate to={page.mySchedule} replace />}
        {!alive || session === 'user' ? <Waiting /> : <SavedPicks />}
      </div>
    </>
  )
}

const Waiting = () => <Skeleton className="h-40 max-w-3xl noscript:hidden" />
