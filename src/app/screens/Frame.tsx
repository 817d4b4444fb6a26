import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigationType, useRouteError } from 'react-router'
import { useTranslations } from 'use-intl'
import { useConnection } from '../../kit/browser/connection.ts'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
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
      <ConnectionLine />
      <AccountLine />
      <PicksLine />
      <RefusedLine />
      <SaveContext value={saveButton}>
        <Main>{children}</Main>
      </SaveContext>
      <Footer />
      <Arrival />
      <Leaving />
    </>
  )
}

/** Loaded later, because it appears after hydration only. */
const SaveButton = lazy(() => importWithRetry(() => import('./BesideDeals.tsx')))

const saveButton = (thing: Savable) => <SaveButton {...thing} />

/** Loaded only when there is no network, something is not sent yet, or a new version of the app waits. */
const OfflineLine = lazy(() => import('./OfflineLine.tsx').catch(() => ({ default: () => null })))

function ConnectionLine() {
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

/** Loaded for people who are logged in; the page works without. */
const AccountLines = lazy(() => import('../../accounts/web/AccountLines.tsx').catch(() => ({ default: () => null })))

function AccountLine() {
  const isGuest = useSession() === 'guest'
  return (
    !isGuest && (
      <Suspense>
        <AccountLines />
      </Suspense>
    )
  )
}

/** Loaded for people who picked events as a guest and have logged in since. */
const MergePicks = lazy(() => import('../../schedule/web/MergePicks.tsx').catch(() => ({ default: () => null })))

function PicksLine() {
  const isVisitor = useSession() === 'user'
  const hasPicks = usePicks(scheduleOutbox).length > 0
  // stays after merging, to say what was merged
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

/** Loaded when the server has refused a change. */
const RefusedIntents = lazy(() => import('./RefusedIntents.tsx').catch(() => ({ default: () => null })))

function RefusedLine() {
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

// each of these follows the router itself, so that a navigation renders nothing else

function Main({ children }: { children: ReactNode }) {
  const { refreshing } = useWaiting()
  const how = useNavigationType()
  return (
    <main
      id="main"
      tabIndex={-1}
      aria-busy={refreshing || undefined}
      // not for the first page, which no navigation has opened
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

/** Whether the visitor has waited for another page for longer than `patienceMs`. */
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

/** Outside of React, because an error replaces the whole frame, and its page must count as a new page too. */
let shownPath: string | null = null

/**
 * Does what a browser does for a new document: moves the focus to the headline (else to the main part) and has the title read out,
 * from the live region that gets the returned ref. A change of filters within a page does nothing.
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
