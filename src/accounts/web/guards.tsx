import { useEffect, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { isLeaving, useKnownSession, useStored } from './session.ts'
import { LoadingOverlay } from '../../kit/browser/ui/LoadingOverlay.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { loginPageWithNext, page } from '../../site-map.ts'

/**
 * A page for those who are logged in: a guest is sent to the login and comes back after it. While nobody knows yet
 * (server, hydration) and for guests it shows `waiting`, so nothing private is ever drawn for them.
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

/** `unknown` on the server and while its page is taken over; otherwise whether token and business id are in storage. */
export function useBusinessHere(): { known: boolean; businessId: string | null } {
  const session = useKnownSession()
  const businessId = useStored('businessId')
  return { known: session !== 'unknown', businessId: session === 'guest' ? null : businessId }
}

/** What could not be had, and the way on: the login where the session is over, which comes back here; else once more. */
export function NotLoaded({
  refused: { status, error },
  again,
  text,
}: {
  refused: { status: number; error: string }
  again?: (() => void) | undefined
  /** `failed`: where the server has no words of its own. */
  text: { failed: string; again: string }
}) {
  if (status === 401) return <SessionOver />
  return (
    <Notice kind={status === 0 ? 'offline' : 'warn'} action={again && <Button onClick={again}>{text.again}</Button>}>
      {error || text.failed}
    </Notice>
  )
}

/** Says so, with the way to the login that comes back here. */
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

/** What a business page says to whom it does not belong: the specification's sentence and the way in; no call is sent. */
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
