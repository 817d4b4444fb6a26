import { useState, type ReactNode } from 'react'
import Flag from 'lucide-react/icons/flag'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { dealPage, loginPageWithNext, page } from '../../site-map.ts'

const ReportDialog = late(() => import('./ReportDialog.tsx'))

/** Button that reports a deal; guests get a link to the login. Needs JavaScript. */
export function ReportDeal({ dealId }: { dealId: string }): ReactNode {
  const t = useTranslations('reportLink')
  const isAlive = useHydrated()
  const isGuest = useSession() === 'guest'
  const [state, setState] = useState<'untouched' | 'open' | 'closed' | 'done'>('untouched')
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
    <>
      {state !== 'done' && (
        <Button
          variant="quiet"
          icon={<Flag aria-hidden="true" className="size-4" />}
          onClick={() => setState('open')}
          className="text-sm print-hidden"
        >
          {t('deal')}
        </Button>
      )}
      {state !== 'untouched' && (
        <ReportDialog dealId={dealId} state={state} close={() => setState('closed')} done={() => setState('done')} />
      )}
    </>
  )
}
