import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ForLoggedIn } from '../../accounts/web/guards.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Tabs } from '../../kit/browser/ui/Segments.tsx'
import { page } from '../../site-map.ts'
import { desks } from './desks.ts'

/** On phones not all ways fit beside each other. */
function showCurrent(tabs: HTMLElement | null) {
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
}

/** A page of staff: its head, the ways between them, and what a wrong role is told. Guests are sent to the login. */
export function StaffPage({
  title,
  current,
  refused,
  children,
}: {
  title: string
  current: 'overview' | (typeof desks)[number]['key']
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
            <div ref={showCurrent} className="min-w-0">
              <Tabs
                label={t('pages')}
                segments={[
                  { key: 'overview', href: page.admin, label: t('overview'), current: current === 'overview' },
                  ...desks.map(({ key, href, label }) => ({ key, href, label: t(label), current: current === key })),
                ]}
              />
            </div>
            {children}
          </>
        )}
      </ForLoggedIn>
    </div>
  )
}
