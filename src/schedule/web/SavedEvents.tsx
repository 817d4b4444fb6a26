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
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
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
      <AccountPage title={t('savedTitle')} lead={t('savedLead')}>
        <noscript>
          <Notice kind="warn">{t('noScript')}</Notice>
        </noscript>
        <LateScript kind="page" />
        {tabs}
        {alive && session === 'user' && <Navigate to={page.mySchedule} replace />}
        {!alive || session === 'user' ? <Waiting sizes={['h-40 max-w-3xl']} /> : <SavedPicks />}
      </AccountPage>
    </>
  )
}
