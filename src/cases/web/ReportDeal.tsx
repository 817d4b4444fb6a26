import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { ReportButton } from '../../ratings/web/ReportButton.tsx'
import { dealPage, loginPageWithNext, page } from '../../site-map.ts'

const ReportDialog = late(() => import('./ReportDialog.tsx'))

/** Button that reports a deal; guests get a link to the login. Needs JavaScript. */
export function ReportDeal({ dealId }: { dealId: string }): ReactNode {
  const t = useTranslations('reportLink')
  const isAlive = useHydrated()
  const isGuest = useSession() === 'guest'
  if (!isAlive) return null
  if (isGuest)
    return (
      <a
        href={loginPageWithNext(page.userLogin, dealPage(dealId))}
        className="link inline-flex min-h-11 items-center text-sm print-hidden"
      >
        {t('logIn')}
      </a>
    )
  return (
    <ReportButton
      label={t('deal')}
      className="text-sm print-hidden"
      dialog={(props) => <ReportDialog dealId={dealId} {...props} />}
    />
  )
}
