import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigationType, useRouteError } from 'react-router'
import { useTranslations } from 'use-intl'
import { useConnection } from '../../kit/browser/connection.ts'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { usePicks } from '../../kit/browser/picks.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { useOutbox, useUnsent } from '../../kit/browser/use-outbox.ts'
import { ownerHere, useSession } from '../../accounts/web/session.ts'
import { SaveContext, type Savable } from '../../kit/browser/ui/SaveSlot.tsx'
import { LoadingOverlay } from '../../kit/browser/ui/LoadingOverlay.tsx'
import { FailedScreen } from './FailedScreen.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { useOwnLinks } from '../boot/own-links.ts'
import { ServerPage } from '../boot/ServerPage.tsx'
import { useWaiting } from '../boot/waiting.ts'

/** Header, screen and footer of every page. */
export default function Frame() {
  return (
    <ServerPage>
      <Surroundings>
        <Outlet />
      </Surroundings>
    </ServerPage>
  )
}

/** Errors of all screens end here, so that header and footer stay. */
export function ErrorBoundary() {
  const error = useRouteError()
  return (
    <Surroundings>
      <FailedScreen error={error} />
    </Surroundings>
  )
}

function Surroundings({ children }: { children: ReactNode }) {
  const t = useTranslations('frame')
  useOwnLinks()
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-24 rounded-6 border-2 border-night bg-lantern px-4 py-2.5 font-semibold text-on-lantern no-underline focus:translate-y-0 print-hidden"
      >
        {t('skip')}
      </a>
      <Header />
      <OfConnection />
      <OfAccount />
      <OfPicks />
      <OfRefused />
      <SaveContext value={saveButton}>
        <Main>{children}</Main>
      </SaveContext>
      <Footer />
      <Arrival />
      <Leaving />
    </>
  )
}

/** It appears once a page is alive, so it need not come along with it. */
const SaveButton = lazy(() => importWithRetry(() => import('./BesideDeals.tsx')))

const saveButton = (thing: Savable) => <SaveButton {...thing} />

/** Only where there is no network, something was not sent yet, or a newer version has come. */
const OfflineLine = lazy(() => import('./OfflineLine.tsx').catch(() => ({ default: () => null })))

function OfConnection() {
  const { isOffline, update } = useConnection()
  const unsent = useUnsent(ownerHere)
  return (
    (isOffline || update !== null || unsent > 0) && (
      <Suspense>
        <OfflineLine />
      </Suspense>
    )
  )
}

/** For who is logged in alone: guests need not wait for its code, and without it the page is whole. */
const AccountLines = lazy(() => import('../../accounts/web/AccountLines.tsx').catch(() => ({ default: () => null })))

function OfAccount() {
  const isGuest = useSession() === 'guest'
  return (
    !isGuest && (
      <Suspense>
        <AccountLines />
      </Suspense>
    )
  )
}

/** Only for who has picked something as a guest and has logged in since. */
const MergePicks = lazy(() => import('../../schedule/web/MergePicks.tsx').catch(() => ({ default: () => null })))

function OfPicks() {
  const isVisitor = useSession() === 'user'
  const hasPicks = usePicks('schedule').length > 0
  // it stays to say what it has done once nothing is left
  const [isNeeded, setNeeded] = useState(false)
  if (isVisitor && hasPicks && !isNeeded) setNeeded(true)
  return (
    isVisitor &&
    isNeeded && (
      <Suspense>
        <MergePicks />
      </Suspense>
    )
  )
}

/** Only where the server has refused what was done here. */
const RefusedIntents = lazy(() => import('./RefusedIntents.tsx').catch(() => ({ default: () => null })))

function OfRefused() {
  const isSome = useOutbox(
    () => outbox.all().some(({ owner, refused }) => refused !== undefined && owner === ownerHere()),
    false,
  )
  return (
    isSome && (
      <Suspense>
        <RefusedIntents />
      </Suspense>
    )
  )
}

// each follows the router by itself, so that a wait draws nothing else again

function Main({ children }: { children: ReactNode }) {
  const { refreshing } = useWaiting()
  const how = useNavigationType()
  return (
    <main
      id="main"
      tabIndex={-1}
      aria-busy={refreshing || undefined}
      // the page that was opened first came in no way of these
      data-came={shownPath && how}
      className="min-h-[60vh]"
    >
      {children}
    </main>
  )
}

function Leaving() {
  const t = useTranslations('frame')
  const long = useLongLeave()
  return long && <LoadingOverlay text={t('loading')} />
}

function Arrival() {
  return <output ref={useArrival()} className="sr-only" />
}

const patienceMs = 400

/** A wait for another page that has become long. */
function useLongLeave(): boolean {
  const { leaving } = useWaiting()
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => setLong(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [leaving])
  return leaving && long
}

/** Outside of React, because an error replaces the whole frame and must still count as an arrival. */
let shownPath: string | null = null

/**
 * On the way to another page the browser would do this by itself: focus goes to the headline (else to the main part) and
 * the title is read out, from the live region this is given to. A change of filters in the same page moves nothing.
 */
function useArrival() {
  const { pathname, hash } = useLocation()
  const announcement = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    const before = shownPath
    shownPath = pathname
    if (before === null || before === pathname) return
    if (announcement.current) announcement.current.textContent = document.title
    if (hash) return
    const main = document.getElementById('main')
    const headline = main?.querySelector('h1')
    headline?.setAttribute('tabindex', '-1')
    ;(headline ?? main)?.focus({ preventScroll: true })
  }, [pathname, hash])
  return announcement
}
