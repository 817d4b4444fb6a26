import type { RouteHandlerCallbackOptions } from 'workbox-core/types'
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst, StaleWhileRevalidate } from 'workbox-strategies'
import { isPage } from '../../kit/browser/is-page.ts'
import { cachedAtHeader } from '../../kit/browser/offline-caches.ts'
import { receivePush, type PushScope } from '../../notifications/web/push-worker.ts'
import { isNoPage, page } from '../../site-map.ts'
import { isCachedAnswer, isNeededAnswer, cachedPictures, type TakeOver, type WorkerMessage } from './cached-pages.ts'
import { cacheDocuments, deleteOldDocuments, documentOf } from './documents.ts'
import { atMost } from './at-most.ts'
import { caching } from './bounds.ts'
import type { WorkerScope } from './worker-scope.ts'

/** Filled in by the build: the files that the cached pages need, and the name of this build. */
declare const __FILES__: string[]
declare const __BUILD__: string

const worker = globalThis as unknown as WorkerScope

// --- the app itself: fetched completely before this version takes over, and deleted with it

precacheAndRoute(
  __FILES__.map((url) => ({ url, revision: null })),
  { cleanURLs: false, directoryIndex: '' },
)
cleanupOutdatedCaches()

/**
 * Workbox fetches one file after the other, which is slow on a network with long delays. So these fetch several at once into the
 * browser's own cache, where Workbox then finds them.
 */
const runners = 3
const ahead = __FILES__.values()
async function runAhead() {
  for (const url of ahead)
    await fetch(url)
      .then((response) => response.arrayBuffer())
      // ignored: Workbox fetches the file again and reports what is wrong
      .catch(() => {})
}

worker.addEventListener('install', (event) => {
  for (let n = 0; n < runners; n++) event.waitUntil(runAhead())
  event.waitUntil(cacheDocuments(__BUILD__, null))
  event.waitUntil(caches.open('map').then((cache) => cache.addAll([...cachedPictures])))
})
worker.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldDocuments(__BUILD__))
  // older workers switched navigation preload on: with it Firefox shows its own error page when the server refuses a
  // connection, whatever this worker answers (decision 48)
  event.waitUntil(Promise.resolve(worker.registration.navigationPreload?.disable()).catch(() => {}))
  event.waitUntil(worker.clients.claim())
})

// --- other requests, each kind by its own rule

/** Files of other screens. Their names change with their content, so a cached one is always right. */
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: caching.files.name, plugins: [atMost(caching.files, { storesSize: false })] }),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && cachedPictures.includes(url.pathname),
  new StaleWhileRevalidate({ cacheName: 'map' }),
)
registerRoute(
  ({ url, sameOrigin, request }) =>
    // an address with a key belongs to a picture that not everybody may see
    sameOrigin &&
    request.destination === 'image' &&
    /^\/(poster|uploads)\//.test(url.pathname) &&
    !url.searchParams.has('key'),
  new CacheFirst({ cacheName: caching.pictures.name, plugins: [atMost(caching.pictures, { storesSize: true })] }),
)

/** How long to wait for the network before a cached answer is used. */
const answerPatienceS = 4
/** Shorter for cached pages, which are the same as fresh ones. */
const cachedPagePatienceMs = 1500
const pagePatienceMs = 6000

const answersIn = (cache: typeof caching.needed | typeof caching.answers) =>
  new NetworkFirst({
    cacheName: cache.name,
    networkTimeoutSeconds: answerPatienceS,
    plugins: [
      {
        fetchDidSucceed: async ({ request, response }) => {
          const cached = await caches.open(cache.name)
          // a page in place of JSON comes from the login of a Wi-Fi
          const isForeign = isPage(response)
          // deleted on the server: deleted here too
          if (!isForeign && (response.status === 404 || response.status === 410)) await cached.delete(request)
          // an error here makes Workbox answer from the cache
          if ((isForeign || isBusy(response)) && (await cached.match(request))) throw new Error('The server is busy.')
          return ours(response)
        },
        cacheWillUpdate: async ({ response }) =>
          isPage(response) || /no-store/.test(response.headers.get('cache-control') ?? '') ? null : response,
        cachedResponseWillBeUsed: async ({ cachedResponse }) => cachedResponse && withAge(cachedResponse),
      },
      atMost(cache, { storesSize: true }),
    ],
  })
const isPublicAnswer = (url: URL, { headers }: Request) => isCachedAnswer(url.pathname) && !headers.has('authorization')
registerRoute(
  ({ url, sameOrigin, request }) => sameOrigin && isPublicAnswer(url, request) && isNeededAnswer(url),
  answersIn(caching.needed),
)
registerRoute(({ url, sameOrigin, request }) => sameOrigin && isPublicAnswer(url, request), answersIn(caching.answers))

/** A page: from the network, else from the cache, else `page.offline`, which opens it with cached answers. */
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && !isNoPage(url.pathname),
  async ({ request, url }: RouteHandlerCallbackOptions) => {
    const cached = await documentOf(__BUILD__, url.pathname)
    const fresh = fromNetwork(request)
    const answer = await Promise.race([fresh, pause(cached ? cachedPagePatienceMs : pagePatienceMs)])
    if (answer && !isBusy(answer)) return answer
    if (cached) return cached
    // nothing is cached yet: wait for the network, as without a worker
    if (!(await documentOf(__BUILD__, page.offline))) return (await fresh) ?? Response.error()
    const wanted = url.pathname + url.search
    return Response.redirect(`${page.offline}?next=${encodeURIComponent(wanted)}`, 302)
  },
)

/** Requests that need the network: without one our own page says so, not the browser's error page. */
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

/** null: no answer, or an error page of a proxy whose server is down. */
async function fromNetwork(request: Request): Promise<Response | null> {
  try {
    return ours(await fetch(request))
  } catch {
    return null
  }
}

/**
 * The answer, if it is the server's: all of them carry a request id.
 * @throws Error for the error of a proxy whose server is down
 */
function ours(response: Response): Response {
  if (response.status >= 502 && !response.headers.has('x-request-id')) throw new Error('The server is away.')
  return response
}

/** The server runs, but has no time for this request. */
const isBusy = ({ status }: Response) => status === 429 || status === 503

function withAge(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(cachedAtHeader, headers.get('date') ?? new Date().toUTCString())
  return new Response(response.body, { status: response.status, headers })
}

const pause = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))

// --- push notifications

receivePush(globalThis as unknown as PushScope)

// --- messages of pages

worker.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage
  if (message.type === 'keep') event.waitUntil(cacheDocuments(__BUILD__, message.choice))
  if (message.type === 'skip-waiting') void worker.skipWaiting()
  if (message.type === 'take-over')
    event.waitUntil(tryTakeOver(message.build).then((answer) => event.ports[0]?.postMessage(answer)))
})

/** Takes over if the page that asks is of the same build and the only one open: such a page loses nothing. */
async function tryTakeOver(build: string): Promise<TakeOver> {
  if (build !== __BUILD__) return 'newer'
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.length > 1) return 'same'
  await worker.skipWaiting()
  return 'taken'
}
