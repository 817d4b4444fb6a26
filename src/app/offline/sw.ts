import type { RouteHandlerCallbackOptions } from 'workbox-core/types'
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst, StaleWhileRevalidate } from 'workbox-strategies'
import { isPage } from '../../kit/browser/is-page.ts'
import { cachedAtHeader } from '../../kit/browser/offline-caches.ts'
import { receivePush, type PushScope } from '../../notifications/web/push-worker.ts'
import { isNoPage, page } from '../../site-map.ts'
import { isKeptAnswer, isNeededAnswer, keptPictures, type Message, type Standing } from './kept-pages.ts'
import { documentOf, forgetOldDocuments, keepDocuments } from './documents.ts'
import { atMost } from './at-most.ts'
import { caching } from './bounds.ts'
import type { WorkerScope } from './worker-scope.ts'

/** The files that the kept pages are made of and the build that they belong to; the build fills both in. */
declare const __FILES__: string[]
declare const __BUILD__: string

const worker = globalThis as unknown as WorkerScope

// --- the app itself: fetched whole before this version takes over, and gone with it

precacheAndRoute(
  __FILES__.map((url) => ({ url, revision: null })),
  { cleanURLs: false, directoryIndex: '' },
)
cleanupOutdatedCaches()

/**
 * Workbox asks for one file after the other, so a far network is waited for as often as there are files. A few that run ahead fill
 * the browser's own cache, from which it then takes them.
 */
const runners = 3
const ahead = __FILES__.values()
async function runAhead() {
  for (const url of ahead)
    await fetch(url)
      .then((response) => response.arrayBuffer())
      // Workbox asks again, and says what is wrong; also where a file broke off
      .catch(() => {})
}

worker.addEventListener('install', (event) => {
  for (let n = 0; n < runners; n++) event.waitUntil(runAhead())
  event.waitUntil(keepDocuments(__BUILD__, null))
  event.waitUntil(caches.open('map').then((cache) => cache.addAll([...keptPictures])))
})
worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldDocuments(__BUILD__))
  // workers before this one switched it on: in Firefox a server that refuses then ends at the browser's own error page,
  // whatever is answered here (decision 48)
  event.waitUntil(Promise.resolve(worker.registration.navigationPreload?.disable()).catch(() => {}))
  event.waitUntil(worker.clients.claim())
})

// --- what else a page asks for, each by the rule for its kind

/** Other screens' files: their names change with their content. */
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: caching.files.name, plugins: [atMost(caching.files, { keepsSize: false })] }),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && keptPictures.includes(url.pathname),
  new StaleWhileRevalidate({ cacheName: 'map' }),
)
registerRoute(
  ({ url, sameOrigin, request }) =>
    // an address with a key is of a picture that not everybody may see
    sameOrigin &&
    request.destination === 'image' &&
    /^\/(poster|uploads)\//.test(url.pathname) &&
    !url.searchParams.has('key'),
  new CacheFirst({ cacheName: caching.pictures.name, plugins: [atMost(caching.pictures, { keepsSize: true })] }),
)

/** How long an answer is waited for where one is kept, s. */
const answerPatienceS = 4
/** A kept page says the same as a fresh one; every other page opens through one. */
const keptPagePatienceMs = 1500
const pagePatienceMs = 6000

const answersIn = (cache: typeof caching.needed | typeof caching.answers) =>
  new NetworkFirst({
    cacheName: cache.name,
    networkTimeoutSeconds: answerPatienceS,
    plugins: [
      {
        fetchDidSucceed: async ({ request, response }) => {
          const kept = await caches.open(cache.name)
          const isForeign = isPage(response)
          // what was taken down does not come back from the phone
          if (!isForeign && (response.status === 404 || response.status === 410)) await kept.delete(request)
          // what a busy server, or the login of a Wi-Fi, would not say is still on the phone
          if ((isForeign || isBusy(response)) && (await kept.match(request))) throw new Error('The server is busy.')
          return ours(response)
        },
        cacheWillUpdate: async ({ response }) =>
          isPage(response) || /no-store/.test(response.headers.get('cache-control') ?? '') ? null : response,
        cachedResponseWillBeUsed: async ({ cachedResponse }) => cachedResponse && withAge(cachedResponse),
      },
      atMost(cache, { keepsSize: true }),
    ],
  })
const isPublicAnswer = (url: URL, { headers }: Request) => isKeptAnswer(url.pathname) && !headers.has('authorization')
registerRoute(
  ({ url, sameOrigin, request }) => sameOrigin && isPublicAnswer(url, request) && isNeededAnswer(url),
  answersIn(caching.needed),
)
registerRoute(({ url, sameOrigin, request }) => sameOrigin && isPublicAnswer(url, request), answersIn(caching.answers))

/** A page: from the network, else as it was kept, else the page that opens with what was kept. */
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && !isNoPage(url.pathname),
  async ({ request, url }: RouteHandlerCallbackOptions) => {
    const kept = await documentOf(__BUILD__, url.pathname)
    const fresh = fromNetwork(request)
    const answer = await Promise.race([fresh, pause(kept ? keptPagePatienceMs : pagePatienceMs)])
    if (answer && !isBusy(answer)) return answer
    if (kept) return kept
    // a phone that has kept nothing waits on, as without a worker
    if (!(await documentOf(__BUILD__, page.offline))) return (await fresh) ?? Response.error()
    const wanted = url.pathname + url.search
    return Response.redirect(`${page.offline}?next=${encodeURIComponent(wanted)}`, 302)
  },
)

/** What is only had from the network: without one our page says so, not the browser's. */
for (const method of ['GET', 'POST'] as const)
  registerRoute(
    ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
    async ({ request }: RouteHandlerCallbackOptions) => {
      const answer = await fromNetwork(request)
      if (answer) return answer
      return (await documentOf(__BUILD__, page.offline)) ? Response.redirect(page.offline, 303) : Response.error()
    },
    method,
  )

/** null: no answer, or one from something in between that stands in for a server that is away. */
async function fromNetwork(request: Request): Promise<Response | null> {
  try {
    return ours(await fetch(request))
  } catch {
    return null
  }
}

/** Every answer of ours carries its id; what a proxy says in our place counts as none. */
function ours(response: Response): Response {
  if (response.status >= 502 && !response.headers.has('x-request-id')) throw new Error('The server is away.')
  return response
}

/** It is there, and has no answer for now. */
const isBusy = ({ status }: Response) => status === 429 || status === 503

function withAge(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(cachedAtHeader, headers.get('date') ?? new Date().toUTCString())
  return new Response(response.body, { status: response.status, headers })
}

const pause = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))

// --- what the server tells this phone

receivePush(globalThis as unknown as PushScope)

// --- what pages say

worker.addEventListener('message', (event) => {
  const message = event.data as Message
  if (message.type === 'keep') event.waitUntil(keepDocuments(__BUILD__, message.choice))
  if (message.type === 'skip-waiting') void worker.skipWaiting()
  if (message.type === 'take-over')
    event.waitUntil(standing(message.build).then((answer) => event.ports[0]?.postMessage(answer)))
})

/** A page of this very version that is the only one open loses nothing when the worker takes over. */
async function standing(build: string): Promise<Standing> {
  if (build !== __BUILD__) return 'newer'
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.length > 1) return 'same'
  await worker.skipWaiting()
  return 'taken'
}
