import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import {
  createRequestHandler,
  Outlet,
  RouterContextProvider,
  Scripts,
  ServerRouter,
  type EntryContext,
  type ServerBuild,
} from 'react-router'
import { IntlProvider, useTranslations } from 'use-intl'
import { expect, it } from 'vitest'

/**
 * What entry.server.tsx and start-scripts.ts lean on and the router promises nowhere. Its browser's half has a story in
 * test/stories/pages.e2e.ts. Where this fails after an update, read those files before the expectation.
 */

const seen: { entry?: EntryContext; given?: unknown; failed?: unknown; html?: string; handoff?: string } = {}

/** Two routes, as a build lists them. */
function build(): ServerBuild {
  const flags = { hasAction: false, hasClientAction: false, hasClientLoader: false, hasClientMiddleware: false }
  const parts = { clientActionModule: undefined, clientLoaderModule: undefined, clientMiddlewareModule: undefined }
  const more = { ...flags, ...parts, hasErrorBoundary: false, hydrateFallbackModule: undefined }
  const root = { id: 'root', path: '', hasLoader: false, module: '/assets/root.js', ...more }
  const screen = {
    id: 'screen',
    parentId: 'root',
    path: 'deals',
    hasLoader: true,
    module: '/assets/screen.js',
    ...more,
  }
  const body = () => createElement('body', null, createElement(Outlet), createElement(Scripts, { nonce: 'n' }))
  return {
    entry: {
      module: {
        default: handleRequest,
        handleError: (_: unknown, { context }: { context: unknown }) => void (seen.failed = context),
      },
    },
    routes: {
      root: { id: 'root', path: '', module: { default: () => createElement('html', null, body()) } },
      screen: {
        id: 'screen',
        parentId: 'root',
        path: 'deals',
        module: {
          default: () => createElement('p', null, 'Deals'),
          loader: ({ request }: { request: Request }) => {
            if (request.url.includes('broken')) throw new Error('Broken')
            return { deals: ['Spritz'] }
          },
        },
      },
    },
    assets: {
      url: '/assets/manifest.js',
      version: '1',
      entry: { module: '/assets/entry.js', imports: [] },
      routes: { root, screen },
    },
    assetsBuildDirectory: '',
    basename: '/',
    future: {},
    isSpaMode: false,
    prerender: [],
    publicPath: '/',
    routeDiscovery: { mode: 'initial' },
    ssr: true,
  } as unknown as ServerBuild
}

async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  seen.entry = entry
  seen.given = context
  seen.handoff = await new Response(entry.serverHandoffStream).text()
  entry.serverHandoffStream = undefined
  seen.html = renderToString(createElement(ServerRouter, { context: entry, url: request.url, nonce: 'n' }))
  headers.set('x-made', 'here')
  return new Response(null, { status, headers })
}

const ask = async (path: string) => {
  const context = new RouterContextProvider()
  const handle = createRequestHandler(build(), 'production')
  return { context, response: await handle(new Request(`http://deals.example${path}`), context) }
}

it('the router hands the server its data as a text, says what it matched, and passes the answer on as it is', async () => {
  const { context, response } = await ask('/deals')
  expect(seen.given).toBe(context)
  expect([response.status, response.headers.get('x-made'), response.body]).toEqual([200, 'here', null])
  expect(seen.handoff).toContain('Spritz')
  const { staticHandlerContext, manifest, renderMeta } = seen.entry!
  expect(staticHandlerContext.matches.map(({ route }) => route.id)).toEqual(['root', 'screen'])
  expect(manifest.routes['screen']!.module).toBe('/assets/screen.js')
  expect([manifest.url, manifest.entry.module]).toEqual(['/assets/manifest.js', '/assets/entry.js'])
  expect(renderMeta?.didRenderScripts).toBe(true)
})

it('the page that the router writes has the places in which its start is replaced', async () => {
  await ask('/deals')
  const { html = '' } = seen
  // the patterns of start-scripts.ts
  const preloads = [...html.matchAll(/<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g)].map(([, href]) => href)
  expect(preloads).toEqual(expect.arrayContaining(['/assets/entry.js', '/assets/root.js', '/assets/screen.js']))
  expect([...html.matchAll(/(<script[^>]* type="module"[^>]*>)([^<]*)<\/script>/g)].map(([, , code]) => code)).toEqual([
    expect.stringMatching(/__reactRouterRouteModules.*import\("\/assets\/entry\.js"\)/s),
  ])
  // the data follow in scripts of our own, which the router would write itself if it streamed
  expect(html).toContain('streamController')
  expect(html).not.toContain('Spritz')
})

it('what breaks in a loader is reported with the context of its request', async () => {
  const { context, response } = await ask('/deals?broken')
  expect(response.status).toBe(500)
  expect(seen.failed).toBe(context)
})

it('texts that are added to the messages of a page later are found, as catalogues.ts adds those of screens', () => {
  const messages: Record<string, Record<string, string>> = { frame: { home: 'Home' } }
  const Late = () => useTranslations('late')('title')
  const Screen = () => {
    messages['late'] = { title: 'Added' }
    return createElement(Late)
  }
  const provided = { locale: 'en', timeZone: 'UTC', messages, children: createElement(Screen) }
  expect(renderToString(createElement(IntlProvider, provided))).toBe('Added')
})
