import type { RouterContextProvider } from 'react-router'
import { currentSession, ownerHere, storedInSession } from '../../accounts/web/session.ts'
import { ask, pageContext } from '../../kit/browser/ask.ts'
import { callNoting } from '../../kit/browser/call-endpoint.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { cachedAtHeader, lastCachedKey } from '../../kit/browser/offline-caches.ts'
import { onReturn } from '../../kit/browser/on-return.ts'
import { countUnsent } from '../../kit/browser/outbox-items.ts'
import { browserStorage } from '../../kit/browser/storage.ts'
import { getProgramme } from '../../events/contract.ts'
import { eventsPage, page } from '../../site-map.ts'
import { listUrgent } from '../../urgent/contract.ts'
import { caching } from './bounds.ts'
import { loaderOf } from './screens.ts'
import { sendUnsent } from './send-unsent.ts'

/** Another page does not load again what was cached this recently, ms. */
const freshMs = 10 * 60_000

/** The present run through all that works offline. */
const run = {
  /** A request failed, or only a cached answer came. */
  isIncomplete: false,
  /** Addresses that the server has answered; several screens load the same. */
  answered: new Set<string>(),
}
/** Not shown in the line about the network: what is loaded ahead says nothing about what is on the screen. */
const callAhead = callNoting((answer) => {
  if (!answer || answer.status >= 429) run.isIncomplete = true
  else if (!answer.headers.has(cachedAtHeader)) run.answered.add(answer.url)
  else if (!run.answered.has(answer.url)) run.isIncomplete = true
})

/**
 * Loads what is to work offline, one request after the other, so that the service worker caches the answers: this page, which came with
 * its data inside; the programme of all days, the lists, and what belongs to the account. After a failure the next page tries again, or
 * this one when somebody returns to it.
 */
export async function fillCaches(getContext: () => RouterContextProvider, choice: string): Promise<void> {
  // merchants' pages need the network; the dashboard makes its own requests and no others
  if (currentSession() === 'business') return
  await load(getContext, location.pathname + location.search)
  if (currentSession() === 'user' && Object.keys(countUnsent(ownerHere())).length > 0) await sendUnsent()
  if (savesData()) return
  let isRunning = true
  onReturn(() => {
    if (isRunning || isFresh(choice) || currentSession() === 'business') return
    isRunning = true
    void loadAll(getContext, choice).finally(() => (isRunning = false))
  })
  await (isFresh(choice) ? storeFavorites({ unlessSame: true }) : loadAll(getContext, choice)).finally(
    () => (isRunning = false),
  )
}

async function loadAll(getContext: () => RouterContextProvider, choice: string): Promise<void> {
  run.isIncomplete = false
  run.answered.clear()
  // pages load the notices themselves, but the very first one does so before there is a worker
  await ask(callAhead, listUrgent)
  await load(getContext, page.home)
  await load(getContext, page.events)
  const { answer } = await ask(callAhead, getProgramme)
  for (const { day } of answer?.body.days ?? []) await load(getContext, eventsPage({ day }))
  await load(getContext, page.deals)
  await storeLists()
  await load(getContext, page.dealsMap)
  await load(getContext, page.forum)
  // no more requests to a busy server, or without a network
  if (run.isIncomplete) return
  if (currentSession() === 'user') await storeOwnLists()
  await storeFavorites()
  if (run.isIncomplete || currentConnection().isOffline) return
  await deleteOldPlaces().catch(() => {})
  browserStorage.set(lastCachedKey, `${Date.now()} ${cacheKey(choice)}`)
}

/** Runs the loader of a screen and drops the answers: the worker has cached them, and the files of the screen too. */
async function load(getContext: () => RouterContextProvider, address: string) {
  if (run.isIncomplete) return
  const url = new URL(address, location.origin)
  const found = await loaderOf(url.pathname).catch(() => void (run.isIncomplete = true))
  if (!found) return
  const context = getContext()
  context.set(pageContext, { ...context.get(pageContext), call: callAhead })
  try {
    await found.load({ request: new Request(url), params: found.params, context } as unknown as Parameters<
      typeof found.load
    >[0])
  } catch {
    // callAhead has noted the failure
  }
}

/** Answers that tell where the phone was, or where its map stood, stay in the cache this long, ms. */
const placesForMs = 24 * 3_600_000

/** The answers that the map needs now were just loaded. */
async function deleteOldPlaces(): Promise<void> {
  const cache = await caches.open(caching.answers.name)
  for (const request of await cache.keys()) {
    const { searchParams } = new URL(request.url)
    if (!searchParams.has('lat') && !searchParams.has('bbox')) continue
    const date = (await cache.match(request))?.headers.get('date')
    if (!(Date.now() - Date.parse(date ?? '') < placesForMs)) await cache.delete(request)
  }
}

/** The deals that a phone filters and sorts itself, the file that does it, and useful places. */
async function storeLists() {
  if (run.isIncomplete) return
  const stored = await import('../../deals/web/stored-deals.ts')
  await stored.storeDeals(callAhead)
  const places = await import('../../places/web/load-need.ts')
  await places.storedPlaces(callAhead)
}

async function storeOwnLists() {
  const [schedule, codes] = await Promise.all([
    import('../../schedule/web/my-schedule.ts'),
    import('../../redemptions/web/use-codes.ts'),
  ])
  await schedule.load()
  // staff have no codes
  if ((storedInSession('userType') ?? 'user') === 'user') await codes.loadOfflineCodes()
}

async function storeFavorites(given: { unlessSame?: boolean } = {}) {
  const favorites = await import('../../favorites/web/offline-list.ts')
  await favorites.storeFavorites(given)
}

function isFresh(choice: string): boolean {
  const [at = '', ...key] = (browserStorage.get(lastCachedKey) ?? '').split(' ')
  return key.join(' ') === cacheKey(choice) && Date.now() - Number(at) < freshMs
}

/** Whom and which build the caches are for: another one may load other addresses, into other caches. */
const cacheKey = (choice: string) => `${choice} ${currentSession()} ${document.documentElement.dataset['build']}`

const savesData = () => (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true
