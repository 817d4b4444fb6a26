import { lazy, memo, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigationType, useRouteError } from 'react-router'
import { useTranslations } from 'use-intl'
import { useConnection } from '../../kit/browser/connection.ts'
import { useFreshPosition } from '../../kit/browser/here-and-now.ts'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import { useLongerThan } from '../../kit/browser/use-longer-than.ts'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { useOutbox, useUnsent } from '../../kit/browser/use-outbox.ts'
import { ownerHere, useSession } from '../../accounts/web/session.ts'
import { SaveContext, type Savable } from '../../kit/browser/ui/SaveSlot.tsx'
import { LoadingOverlay } from '../../kit/browser/ui/LoadingOverlay.tsx'
import { FailedScreen } from './FailedScreen.tsx'
import { Header } from './Header.tsx'
import { page } from '../../site-map.ts'
import { useOwnLinks } from '../boot/own-links.ts'
import { useIsPlain } from '../boot/plain.ts'
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
  useFreshPosition()
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-24 rounded-6 border-2 border-night bg-lantern px-4 py-2.5 font-semibold text-on-lantern no-underline focus:translate-y-0 print-hidden"
      >
        {t('skip')}
      </a>
      <Header />
      <NeededLine />
      <ConnectionLine />
      <AccountLine />
      <PicksLine />
      <RefusedLine />
      <SaveContext value={saveButton}>
        <Main>{children}</Main>
      </SaveContext>
      <Foot />
      <Arrival />
      <Leaving />
    </>
  )
}

/**
 * Hydrated after the rest, since it is below what people come for; servers render it at once. `memo`, because a part that is rendered
 * again before it is hydrated would disappear.
 */
const fetchFooter = () => import('./Footer.tsx')
const Foot = import.meta.env.SSR
  ? suspended((await fetchFooter()).default)
  : memo(late(() => importWithRetry(fetchFooter)))

/** Loaded later, because it appears after hydration only. */
const SaveButton = lazy(() => importWithRetry(() => import('./BesideDeals.tsx')))

const saveButton = (thing: Savable) => <SaveButton {...thing} />

/** A line that few pages have: loaded when it is first drawn. The page works without it. */
const line = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  suspended<Props>(lazy(() => load().catch((): { default: ComponentType<Props> } => ({ default: () => null }))))

const OfflineLine = line(() => import('./OfflineLine.tsx'))

/** There is no network, something is not sent yet, or a new version of the app waits. */
function ConnectionLine() {
  const { isOffline, update } = useConnection()
  const unsent = useUnsent(ownerHere)
  return (isOffline || update !== null || unsent > 0) && <OfflineLine />
}

const NeededNow = line(() => import('../here-and-now/NeededNow.tsx'))

/** Where the code itself, the till or the button of the till is on the screen. */
const atTheCounter: string[] = [page.myCodes, page.redeem, page.dashboard]

/**
 * What somebody saved or holds and needs now. It never moves a page that is being read: `start-page.ts` keeps its place free, and where
 * that was not known it begins with the next page.
 */
function NeededLine() {
  const { pathname, search } = useLocation()
  const isLoggedIn = useSession() !== 'guest'
  const hasPicks = usePicks(scheduleOutbox).length > 0
  const isPlain = useIsPlain()
  const [opened] = useState(pathname)
  const isSome = isLoggedIn || hasPicks
  // stays, to free the place when nothing is left
  const [isNeeded, setNeeded] = useState(false)
  if (isSome && !isNeeded) setNeeded(true)
  if (atTheCounter.includes(pathname) || search.includes('show=counter')) return null
  // filled by plain-page.ts
  if (isPlain)
    return (
      <aside
        data-needed-note="shell flex min-h-11 items-center py-1 font-semibold text-ink no-underline"
        hidden
        className="border-b-2 border-rule bg-well print-hidden"
      />
    )
  return (
    <div className="in-data-needed:min-h-11.5 print-hidden">
      {isNeeded && <NeededNow isOpened={pathname === opened} />}
    </div>
  )
}

const AccountLines = line(() => import('../../accounts/web/AccountLines.tsx'))

function AccountLine() {
  return useSession() !== 'guest' && <AccountLines />
}

const MergePicks = line(() => import('../../schedule/web/MergePicks.tsx'))

/** For people who picked events as a guest and have logged in since. */
function PicksLine() {
  const isVisitor = useSession() === 'user'
  const hasPicks = usePicks(scheduleOutbox).length > 0
  // stays after merging, to say what was merged
  const [isNeeded, setNeeded] = useState(false)
  if (isVisitor && hasPicks && !isNeeded) setNeeded(true)
  return isVisitor && isNeeded && <MergePicks />
}

const RefusedIntents = line(() => import('./RefusedIntents.tsx'))

/** The server has refused a change. */
function RefusedLine() {
  const isSome = useOutbox(
    () => outbox.all().some(({ owner, refused }) => refused !== undefined && owner === ownerHere()),
    false,
  )
  return isSome && <RefusedIntents />
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
  const { leaving } = useWaiting()
  return useLongerThan(patienceMs, leaving) && <LoadingOverlay text={t('loading')} />
}

function Arrival() {
  return <output ref={useArrival()} className="sr-only" />
}

/** A shorter wait for another page shows nothing. */
const patienceMs = 400

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
