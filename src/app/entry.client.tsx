import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { RouterContextProvider } from 'react-router'
import { HydratedRouter } from 'react-router/dom'
import { sessionCredentials } from '../accounts/web/session-credentials.ts'
import { onSessionEnd } from '../accounts/web/session.ts'
import { pageContext, type PageContext } from '../kit/browser/asking.ts'
import { callByFetch } from '../kit/browser/call-endpoint.ts'
import { setCredentials } from '../kit/browser/credentials.ts'
import { dayText, wallIn } from '../kit/shared/calendar.ts'
import { loginPageWithNext, page } from '../site-map.ts'
import { prepareCatalogue } from './boot/catalogues.ts'
import { ServerPage } from './boot/ServerPage.tsx'
import { goOnAfterReload } from './boot/own-links.ts'

const root = document.documentElement
const locale = (root.lang || 'en') as PageContext['locale']

goOnAfterReload()

/** Makes the formatters of dates in a task of its own: a phone is blocked by its first one for a tenth of a second. */
const formatters = new Promise<void>((resolve) => {
  setTimeout(() => {
    dayText(locale, wallIn(root.dataset['zone'] ?? 'Europe/Zurich', 0))
    resolve()
  })
})
// the texts come before the first render, so that it equals the server's
await Promise.all([prepareCatalogue(locale), formatters])

setCredentials(sessionCredentials)
// a new document, so that nothing private stays in memory
onSessionEnd((session) => {
  const login = session === 'business' ? page.businessLogin : page.userLogin
  location.assign(`${loginPageWithNext(login, location.pathname + location.search + location.hash)}&why=ended`)
})

/**
 * The screens people go to next (`entry.server.tsx` names their files) are fetched while nothing else is to do, so that a tap in a tunnel still opens them (their
 * data are then missing, which the screen says) and a tap elsewhere opens them at once. Not for those who save data.
 */
function fetchNextScreens() {
  // what says that there is no network cannot come once there is none
  void import('./screens/OfflineLine.tsx').catch(() => {})
  void import('./boot/follow-theme.ts').catch(() => {})
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=next-screen]'))
    void import(/* @vite-ignore */ href).catch(() => {})
}
if ('requestIdleCallback' in window) requestIdleCallback(fetchNextScreens, { timeout: 10_000 })
else setTimeout(fetchNextScreens, 4000)

// a page that fades into the next and is overtaken by a third: nobody is told, as nothing has gone wrong
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.message.startsWith('Transition was')) event.preventDefault()
})

/** What screens find when they ask. */
function getContext(): RouterContextProvider {
  const context = new RouterContextProvider()
  const { name = '', edition = '', zone = 'Europe/Zurich', lat, lon, start, end } = root.dataset
  context.set(pageContext, {
    call: callByFetch,
    locale,
    theme: (root.dataset['theme'] as PageContext['theme'] | undefined) ?? 'auto',
    origin: location.origin,
    festival: {
      name,
      edition,
      zone,
      latitude: Number(lat),
      longitude: Number(lon),
      days: start && end ? { start, end } : null,
    },
  })
  return context
}

/** Later than anything that a visit waits for, ms. */
const registerAfterMs = 5000

/** Without a secure context a browser has no service worker, and the site works as it is. */
function registerWorker() {
  void import('./offline/register.ts').then(({ register }) => register(getContext)).catch(() => {})
}
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  setTimeout(
    () => ('requestIdleCallback' in window ? requestIdleCallback(registerWorker) : registerWorker()),
    registerAfterMs,
  )

// what fails from here on is no fault of the start (boot/start-page.ts)
dispatchEvent(new Event('started'))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <ServerPage>
        <HydratedRouter
          // a change is drawn at once: in steps between frames, as a transition, a slow phone takes twice as long
          useTransitions={false}
          getContext={getContext}
        />
      </ServerPage>
    </StrictMode>,
  )
})
