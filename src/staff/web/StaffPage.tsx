import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ForLoggedIn } from '../../accounts/web/guards.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Tabs } from '../../kit/browser/ui/Segments.tsx'
import { page } from '../../site-map.ts'

/** A page of staff: its head, the ways between them, and what a wrong role is told. Guests are sent to the login. */
export function StaffPage({
  title,
  current,
  refused,
  children,
}: {
  title: string
  current: 'events' | 'urgent' | 'reports' | 'log'
  /** Of the page's own question; 403: not for this account. */
  refused: { status: number; error: string } | null
  children: ReactNode
}) {
  const t = useTranslations('staff')
  return (
    <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
      <PageHead title={title} hidden />
      <h1 className="text-3xl">{title}</h1>
      <ForLoggedIn waiting={null}>
        {refused ? (
          <Notice
            kind={refused.status === 403 ? 'warn' : 'error'}
            title={refused.status === 403 ? t('forbidden') : t('failed')}
            action={<ButtonLink href={page.home}>{t('home')}</ButtonLink>}
          >
            <p>{refused.error}</p>
          </Notice>
        ) : (
          <>
            <Tabs
              label={t('pages')}
              segments={[
                { key: 'events', href: page.adminEvents, label: t('programme'), current: current === 'events' },
                { key: 'urgent', href: page.adminUrgent, label: t('urgent'), current: current === 'urgent' },
                { key: 'reports', href: page.adminReports, label: t('reports'), current: current === 'reports' },
                { key: 'log', href: page.adminLog, label: t('log'), current: current === 'log' },
              ]}
            />
            {children}
          </>
        )}
      </ForLoggedIn>
    </div>
  )
}
