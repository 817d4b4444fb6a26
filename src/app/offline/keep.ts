import type { RouterContextProvider } from 'react-router'
import { currentSession, ownerHere, storedInSession } from '../../accounts/web/session.ts'
import { ask, pageContext } from '../../kit/browser/asking.ts'
import { callNoting } from '../../kit/browser/call-endpoint.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { cachedAtHeader, lastCachedKey } from '../../kit/browser/offline-caches.ts'
import { onReturn } from '../../kit/browser/on-return.ts'
import { countUnsent } from '../../kit/browser/outbox-items.ts'
import { getProgramme } from '../../events/contract.ts'
import { eventsPage, page } from '../../site-map.ts'
import { listUrgent } from '../../urgent/contract.ts'
import { caching } from './bounds.ts'
import { loaderOf } from './screens.ts'

/** What was kept this recently is not asked for again by another page, ms. */
const freshMs = 10 * 60_000

/** One of the answers asked for ahead did not come, or only one that was kept before. */
let isMissing = false
/** Addresses that were answered by the server, some of which several screens ask for. */
const got = new Set<string>()
/** It tells nothing to the line about the network: what is shown is older or newer than what is kept ahead. */
const callAhead = callNoting((answer) => {
  if (!answer || answer.status >= 429) isMissing = true
  else if (!answer.headers.has(cachedAtHeader)) got.add(answer.url)
  else if (!got.has(answer.url)) isMissing = true
})

/**
 * Asks for what is to open without a network, one after the other, so that the service worker keeps the answers: this page,
 * which came with its data in it; the programme of all days, the lists, and what belongs to who is logged in. Where something does
 * not come, it is asked for anew by the next page, or when this one is looked at again.
 */
export async function keep(getContext: () => RouterContextProvider, choice: string): Promise<void> {
  // a merchant's pages live from the network; the dashboard makes its own calls and no other
  if (currentSession() === 'business') return
  await look(getContext, location.pathname + location.search)
  if (currentSession() === 'user' && Object.keys(countUnsent(ownerHere())).length > 0) await sendUnsent()
  if (savesData()) return
  let isKeeping = true
  onReturn(() => {
    if (isKeeping || isFresh(choice) || currentSession() === 'business') return
    isKeeping = true
    void keepAhead(getContext, choice).finally(() => (isKeeping = false))
  })
  await (isFresh(choice) ? keepFavorites({ unlessSame: true }) : keepAhead(getContext, choice)).finally(
    () => (isKeeping = false),
  )
}

async function keepAhead(getContext: () => RouterContextProvider, choice: string): Promise<void> {
  isMissing = false
  got.clear()
  // the page asks for it by itself, but the first of all before there is a worker that keeps it
  await ask(callAhead, listUrgent)
  await look(getContext, page.home)
  await look(getContext, page.events)
  const { answer } = await ask(callAhead, getProgramme)
  for (const { day } of answer?.body.days ?? []) await look(getContext, eventsPage({ day }))
  await look(getContext, page.deals)
  await look(getContext, page.dealsMap)
  await look(getContext, page.forum)
  // a busy server, or a network that is gone, is not asked for more
  if (isMissing) return
  if (currentSession() === 'user') await keepMine()
  await keepFavorites()
  if (isMissing || currentConnection().isOffline) return
  await forgetOldPlaces().catch(() => {})
  try {
    localStorage.setItem(lastCachedKey, `${Date.now()} ${standing(choice)}`)
  } catch {
    // storage is shut: the next page keeps it again
  }
}

/** Runs what a screen asks for, and throws the answers away: the worker has kept them, and the screen's files with them. */
async function look(getContext: () => RouterContextProvider, address: string) {
  if (isMissing) return
  const url = new URL(address, location.origin)
  const loader = await loaderOf(url.pathname).catch(() => void (isMissing = true))
  if (!loader) return
  const { load, params } = loader
  const context = getContext()
  context.set(pageContext, { ...context.get(pageContext), call: callAhead })
  try {
    await load({ request: new Request(url), params, context } as unknown as Parameters<typeof load>[0])
  } catch {
    // what did not come is noted already
  }
}

/** How long it stays on the phone where it was, ms. */
const placesForMs = 24 * 3_600_000

/** Searches say where the phone was, or where its map stood; what the map needs was asked for just now. */
async function forgetOldPlaces(): Promise<void> {
  const cache = await caches.open(caching.answers.name)
  for (const request of await cache.keys()) {
    const { searchParams } = new URL(request.url)
    if (!searchParams.has('lat') && !searchParams.has('bbox')) continue
    const date = (await cache.match(request))?.headers.get('date')
    if (!(Date.now() - Date.parse(date ?? '') < placesForMs)) await cache.delete(request)
  }
}

const sendUnsent = async () => (await import('../screens/outbox-rooms.ts')).sendUnsent()

async function keepMine() {
  const [schedule, codes] = await Promise.all([
    import('../../schedule/web/my-schedule.ts'),
    import('../../redemptions/web/use-codes.ts'),
  ])
  await schedule.load()
  // staff claim nothing
  if ((storedInSession('userType') ?? 'user') === 'user') await codes.keepMyCodes()
}

async function keepFavorites(given: { unlessSame?: boolean } = {}) {
  const favorites = await import('../../favorites/web/offline-list.ts')
  await favorites.storeFavorites(given)
}

function isFresh(choice: string): boolean {
  try {
    const [at = '', ...kept] = (localStorage.getItem(lastCachedKey) ?? '').split(' ')
    return kept.join(' ') === standing(choice) && Date.now() - Number(at) < freshMs
  } catch {
    return false
  }
}

/** What is kept holds for whom and for which version: another one may ask for other answers, and look for them elsewhere. */
const standing = (choice: string) => `${choice} ${currentSession()} ${document.documentElement.dataset['build']}`

const savesData = () => (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true
