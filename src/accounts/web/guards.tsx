import { useEffect, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { isLeaving, useKnownSession, useStored } from './session.ts'
import { LoadingOverlay } from '../../kit/browser/ui/LoadingOverlay.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { loginPageWithNext, page } from '../../site-map.ts'

/**
 * Content for logged-in people: a guest is sent to the login and comes back after it. Shows `waiting` to guests, and while the
 * session is not known yet (server, hydration), so that nothing private is drawn.
 */
export function ForLoggedIn({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const session = useKnownSession()
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const here = pathname + search + hash
  useEffect(() => {
    if (session === 'guest' && !isLeaving()) void navigate(loginPageWithNext(page.userLogin, here), { replace: true })
  }, [session, here, navigate])
  if (session === 'guest' || session === 'unknown')
    return (
      <>
        {waiting}
        {session === 'guest' && <Leaving />}
      </>
    )
  return children
}

function Leaving() {
  const t = useTranslations('frame')
  return <LoadingOverlay text={t('loading')} />
}

/** The business in storage. `known: false` on the server and during hydration. */
export function useBusinessHere(): { known: boolean; businessId: string | null } {
  const session = useKnownSession()
  const businessId = useStored('businessId')
  return { known: session !== 'unknown', businessId: session === 'guest' ? null : businessId }
}

/** Notice that something could not be loaded, with a link to the login if the session is over, else a retry button. */
export function NotLoaded({
  refused: { status, error },
  again,
  text,
}: {
  refused: { status: number; error: string }
  again?: (() => void) | undefined
  /** A sentence of the specification, used if the server sent none. */
  text?: string
}) {
  const t = useTranslations('errors')
  if (status === 401) return <SessionOver />
  const isOffline = status === 0
  return (
    <Notice kind={isOffline ? 'offline' : 'warn'} action={again && <Button onClick={again}>{t('again')}</Button>}>
      {error || (text ?? t(isOffline ? 'offlineText' : 'failedLoad'))}
    </Notice>
  )
}

/** Notice that the session is over, with a link to the login that comes back here. */
export function SessionOver() {
  const t = useTranslations('frame')
  const session = useKnownSession()
  const { pathname, search } = useLocation()
  const login = session === 'business' ? page.businessLogin : page.userLogin
  return (
    <Notice
      kind="warn"
      action={
        <ButtonLink href={loginPageWithNext(login, pathname + search)} variant="primary">
          {t('logIn')}
        </ButtonLink>
      }
    >
      {t('sessionOver')}
    </Notice>
  )
}

/** Shown on a business page without a business: the specification's sentence and the login. No request is sent. */
export function NoBusinessHere({ text }: { text: string }) {
  const t = useTranslations('frame')
  const { pathname, search } = useLocation()
  return (
    <div className="grid grid-cols-1 justify-items-start gap-5">
      <Notice kind="warn" title={text}>
        <p>{t('guestText')}</p>
      </Notice>
      <ButtonLink href={loginPageWithNext(page.businessLogin, pathname + search)} variant="primary" size="lg">
        {t('businessLogin')}
      </ButtonLink>
    </div>
  )
}
