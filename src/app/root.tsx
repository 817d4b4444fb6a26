import { useContext, useMemo, useState, type FormEvent, type ReactNode } from 'react'
import {
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
  type LoaderFunctionArgs,
} from 'react-router'
import { IntlProvider } from 'use-intl'
import { pageContext } from '../kit/browser/ask.ts'
import styles from './app.css?url'
import { fontsToPreload } from '../brand/fonts.ts'
import wave from '../brand/wave.svg?url'
import { useHydrated } from '../kit/browser/hydrated.ts'
import { SiteContext, type Site } from '../kit/browser/site.ts'
import { sinceTick } from '../kit/browser/when.ts'
import { Button } from '../kit/browser/ui/Button.tsx'
import { siteSharingPicture } from '../site-map.ts'
import { BuildContext } from './boot/build.ts'
import { catalogueOf } from './boot/catalogues.ts'
import { useIsPlain } from './boot/plain.ts'

export const links = () => [{ rel: 'stylesheet', href: styles }]

// on the server React Router takes the nonce from its own context; browsers hide it from scripts, so there it is empty
const nonce = typeof document === 'undefined' ? undefined : ''

async function choices({ context }: Pick<LoaderFunctionArgs, 'context'>) {
  const { locale, theme, origin, festival } = context.get(pageContext)
  return { locale, theme, origin, festival, now: new Date(sinceTick(Date.now())).toISOString() }
}
export { choices as loader, choices as clientLoader }

/** Language, theme and festival change only with a whole new document. */
export function shouldRevalidate() {
  return false
}

export type Choices = Awaited<ReturnType<typeof choices>>

/** Language, theme, origin, festival and time of rendering of this document. */
export function useChoices(): Choices {
  return useRouteLoaderData('root') as Choices
}

export function Layout({ children }: { children: ReactNode }) {
  // without scripts, which React may not create under Trusted Types, and without choices, which may be what failed
  const failed = useRouteError() != null
  return failed ? <BareDocument>{children}</BareDocument> : <WholeDocument>{children}</WholeDocument>
}

function WholeDocument({ children }: { children: ReactNode }) {
  const { locale, theme, origin, festival, now } = useChoices()
  const build = useContext(BuildContext)
  const isPlain = useIsPlain()
  // only in the server's own document: if hydration fails React draws it again, and may not create scripts under Trusted Types
  const isHydrated = useHydrated()
  const [isOfServer] = useState(!isHydrated)
  const site = useMemo<Site>(
    () => ({
      origin,
      locale,
      name: festival.name,
      centre: festival,
      picture: { path: siteSharingPicture, alt: `${festival.name} ${festival.edition}` },
    }),
    [origin, locale, festival],
  )
  // the same object, because a new one would draw every text again at each navigation
  const rendered = useMemo(() => new Date(now), [now])
  return (
    <html
      lang={locale}
      data-theme={theme === 'auto' ? undefined : theme}
      data-name={festival.name}
      data-edition={festival.edition}
      data-zone={festival.zone}
      data-lat={festival.latitude}
      data-lon={festival.longitude}
      data-start={festival.days?.start}
      data-end={festival.days?.end}
      data-build={build}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {theme !== 'river' && (
          <meta
            name="theme-color"
            content="#fbf6ee"
            media={theme === 'auto' ? '(prefers-color-scheme: light)' : undefined}
          />
        )}
        {theme !== 'paper' && (
          <meta
            name="theme-color"
            content="#0c1928"
            media={theme === 'auto' ? '(prefers-color-scheme: dark)' : undefined}
          />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {fontsToPreload.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        {/* preloaded, since only the style sheet names it: it would come one round trip later */}
        <link rel="preload" as="image" crossOrigin="anonymous" href={wave} />
        <Links />
      </head>
      <body>
        <IntlProvider locale={locale} messages={catalogueOf(locale)} timeZone={festival.zone} now={rendered}>
          <SiteContext value={site}>{children}</SiteContext>
        </IntlProvider>
        {!isPlain && isOfServer && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  )
}

function BareDocument({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>Something went wrong · Rheinklang</title>
        <Links />
      </head>
      <body>{children}</body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

/** Shown when even the frame is broken, so without texts and scripts: in English. */
export function ErrorBoundary() {
  return (
    <main className="shell grid justify-items-start gap-6 py-20">
      <h1>Something went wrong</h1>
      <form onSubmit={reload}>
        <Button type="submit" variant="primary" size="lg">
          Reload Page
        </Button>
      </form>
    </main>
  )
}

function reload(event: FormEvent) {
  event.preventDefault()
  location.reload()
}
