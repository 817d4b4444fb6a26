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
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { PageBand } from '../../kit/browser/ui/PageBand.tsx'
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
      <PageBand kind="river" title={t('savedTitle')} lead={t('savedLead')} />
      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
        <noscript>
          <Notice kind="warn">{t('noScript')}</Notice>
        </noscript>
        <LateScript kind="page" />
        {tabs}
        {alive && session === 'user' && <Navigate to={page.mySchedule} replace />}
        {!alive || session === 'user' ? <Waiting sizes={['h-40 max-w-3xl']} /> : <SavedPicks />}
      </div>
    </>
  )
}
