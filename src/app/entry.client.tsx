import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { RouterContextProvider } from 'react-router'
import { HydratedRouter } from 'react-router/dom'
import { sessionCredentials } from '../accounts/web/session-credentials.ts'
import { onSessionEnd } from '../accounts/web/session.ts'
import { pageContext, type PageContext } from '../kit/browser/ask.ts'
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

/** Creates date formatters in a task of its own: the first one blocks a phone for 0.1 s. */
const formatters = new Promise<void>((resolve) => {
  setTimeout(() => {
    dayText(locale, wallIn(root.dataset['zone'] ?? 'Europe/Zurich', 0))
    resolve()
  })
})
// texts before the first render, which must equal the server's
await Promise.all([prepareCatalogue(locale), formatters])

setCredentials(sessionCredentials)
// loads a new document, so that nothing private stays in memory
onSessionEnd((session) => {
  const login = session === 'business' ? page.businessLogin : page.userLogin
  location.assign(`${loginPageWithNext(login, location.pathname + location.search + location.hash)}&why=ended`)
})

/**
 * Fetches the screens that people go to next (`entry.server.tsx` names their files) while the browser is idle. A tap then opens
 * them at once, and even without a network, where they say that their data is missing. Not for people who save data.
 */
function fetchNextScreens() {
  // the line that says "no network" must be here before the network goes
  void import('./screens/OfflineLine.tsx').catch(() => {})
  void import('./boot/follow-theme.ts').catch(() => {})
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=next-screen]'))
    void import(/* @vite-ignore */ href).catch(() => {})
}
if ('requestIdleCallback' in window) requestIdleCallback(fetchNextScreens, { timeout: 10_000 })
else setTimeout(fetchNextScreens, 4000)

// a view transition was interrupted by the next navigation: not an error
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.message.startsWith('Transition was')) event.preventDefault()
})

/** Context of the loaders of screens. */
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

/** Late, so that the worker's downloads do not slow down the page. */
const registerAfterMs = 5000

function registerWorker() {
  void import('./offline/register.ts').then(({ register }) => register(getContext)).catch(() => {})
}
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  setTimeout(
    () => ('requestIdleCallback' in window ? requestIdleCallback(registerWorker) : registerWorker()),
    registerAfterMs,
  )

// from here on errors are not errors of the start (boot/start-page.ts)
dispatchEvent(new Event('started'))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <ServerPage>
        <HydratedRouter
          // as a transition, in steps between frames, a navigation takes twice as long on a slow phone
          useTransitions={false}
          getContext={getContext}
        />
      </ServerPage>
    </StrictMode>,
  )
})
