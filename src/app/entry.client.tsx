import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { RouterContextProvider } from 'react-router'
import { HydratedRouter } from 'react-router/dom'
import { pageContext, type PageContext } from '../kit/browser/asking.ts'
import { callByFetch } from '../kit/browser/call-endpoint.ts'
import { prepareCatalogue } from './catalogues.ts'

const root = document.documentElement
const locale = (root.lang || 'en') as PageContext['locale']

// the texts come before the first render, so that it equals the server's
await prepareCatalogue(locale)

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter
        getContext={() => {
          const context = new RouterContextProvider()
          const { name = '', edition = '', zone = 'Europe/Zurich', lat, lon } = root.dataset
          context.set(pageContext, {
            call: callByFetch,
            locale,
            theme: (root.dataset['theme'] as PageContext['theme'] | undefined) ?? 'auto',
            origin: location.origin,
            festival: { name, edition, zone, latitude: Number(lat), longitude: Number(lon) },
          })
          return context
        }}
      />
    </StrictMode>,
  )
})
