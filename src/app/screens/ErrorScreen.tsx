import { lazy, Suspense, useEffect } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { useTranslations } from 'use-intl'
import { onReconnect } from '../../kit/browser/connection.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { page } from '../../site-map.ts'
import { Placard } from './Placard.tsx'

/** The service worker has it with every page; without one there is nothing that it could lead to. */
const KeptPlaces = lazy(() => import('./KeptPlaces.tsx').catch(() => ({ default: () => null })))

/**
 * A page that broke, or could not be loaded. `text` is a refusal in plain words, shown as it is; with a `title` it says
 * what could not be loaded.
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
  // without a connection a new document would be the browser's own error; the bar says where somebody is who has just gone back
  const again = () =>
    kind === 'offline' ? void navigate(location.pathname + location.search, { replace: true }) : location.reload()
  useEffect(() => {
    // who is on the way to another page is not called back
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
      {/* a form asks for this address again without JavaScript too; only it cannot be printed */}
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
      {/* fetched, so it comes last: nothing moves when it is there */}
      {kind === 'offline' && (
        <Suspense>
          <KeptPlaces />
        </Suspense>
      )}
    </Placard>
  )
}

const textOf = { broken: 'wrongText', busy: 'busyText', unread: 'notLoadedText' } as const
