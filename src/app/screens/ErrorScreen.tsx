import { lazy, Suspense, useEffect } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { useTranslations } from 'use-intl'
import { onReconnect } from '../../kit/browser/connection.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { page } from '../../site-map.ts'
import { Placard } from './Placard.tsx'

/** The service worker caches it; without a worker no page opens offline, so there is nothing to link to. */
const OfflineLinks = lazy(() => import('./OfflineLinks.tsx').catch(() => ({ default: () => null })))

/**
 * Shown in place of a screen that broke or could not be loaded.
 * @param text refusal of the server, shown as it is; null: the usual text of `kind`
 * @param title says what could not be loaded
 */
export function ErrorScreen({
  kind,
  text,
  title,
}: {
  kind: 'broken' | 'busy' | 'offline' | 'unread'
  text: string | null
  title?: string
}) {
  const t = useTranslations('errors')
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  // offline, a reload would end at the browser's error page; `location`, because the router's may be old after going back
  const again = () =>
    kind === 'offline' ? void navigate(location.pathname + location.search, { replace: true }) : location.reload()
  useEffect(() => {
    // the visitor is leaving for another page: do not pull them back
    if (kind !== 'offline' || isLeaving) return
    return onReconnect(again)
  })
  return (
    <Placard title={title ?? t(kind === 'offline' ? 'offline' : 'wrong')} picture="broken">
      {kind === 'offline' ? (
        <Notice kind="offline">{t('opensByItself')}</Notice>
      ) : (
        <p className="text-lg">{text ?? t(textOf[kind])}</p>
      )}
      {/* a form, so that it works without JavaScript too */}
      <form
        action={pathname}
        className="flex flex-wrap gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          again()
        }}
      >
        {[...new URLSearchParams(search)].map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" variant="primary" size="lg" icon={<RotateCw aria-hidden="true" className="size-5" />}>
          {t(title === undefined ? 'reload' : 'again')}
        </Button>
        <ButtonLink href={page.home} size="lg">
          {t('home')}
        </ButtonLink>
      </form>
      {/* last, so that nothing moves when it is loaded */}
      {kind === 'offline' && (
        <Suspense>
          <OfflineLinks />
        </Suspense>
      )}
    </Placard>
  )
}

const textOf = { broken: 'wrongText', busy: 'busyText', unread: 'notLoadedText' } as const
