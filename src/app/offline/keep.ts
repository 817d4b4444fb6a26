import type { ClientLoaderFunction, RouterContextProvider } from 'react-router'
import { currentSession, storedInSession } from '../../accounts/web/session.ts'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { lastKept } from '../../kit/browser/kept-answers.ts'
import { storedUnsent } from '../../kit/browser/unsent-store.ts'
import { getProgramme } from '../../events/web/calls.ts'
import { eventsPage, page } from '../../site-map.ts'

interface Screen {
  clientLoader?: ClientLoaderFunction
}
interface Globals {
  __reactRouterManifest: { url: string; routes: Record<string, { module: string }> }
  __reactRouterDataRouter?: { state: { matches: { params: object; route: { id: string } }[] } }
}
const globals = () => window as unknown as Globals

/** As the router names the screen of `/`. */
const homeScreen = 'screens/HomeScreen'

/** What was kept this recently is not asked for again by another page, ms. */
const freshMs = 10 * 60_000

/**
 * Asks for what is to open without a network, one after the other, so that the service worker keeps the answers: this page,
 * which came with its data in it; the programme of all days, the lists, and what belongs to who is logged in.
 */
export async function keep(getContext: () => RouterContextProvider, choice: string): Promise<void> {
  // a merchant's pages live from the network; the dashboard makes its own calls and no other
  if (currentSession() === 'business') return
  const matches = globals().__reactRouterDataRouter?.state.matches ?? []
  const here = matches.at(-1)
  if (here) await look(getContext, here.route.id, location.pathname + location.search, here.params)
  if (currentSession() === 'user' && Object.keys(storedUnsent()).length > 0) await sendUnsent()
  if (savesData()) return
  if (isFresh(choice)) return keepFavorites({ unlessSame: true })
  await look(getContext, homeScreen, page.home)
  await look(getContext, 'events', page.events)
  const { answer } = await ask(callByFetch, getProgramme)
  for (const { day } of answer?.body.days ?? []) await look(getContext, 'events', eventsPage({ day }))
  await look(getContext, 'deals', page.deals)
  await look(getContext, 'dealsmap', page.dealsMap)
  await look(getContext, 'forum', page.forum)
  if (currentSession() === 'user') await keepMine()
  await keepFavorites()
  try {
    localStorage.setItem(lastKept, `${Date.now()} ${standing(choice)}`)
  } catch {
    // storage is shut: the next page keeps it again
  }
}

/** Runs what a screen asks for, and throws the answers away: the worker has kept them, and the screen's files with them. */
async function look(getContext: () => RouterContextProvider, id: string, path: string, params: object = {}) {
  const file = globals().__reactRouterManifest.routes[id]?.module
  if (!file) return
  try {
    const { clientLoader } = (await import(/* @vite-ignore */ file)) as Screen
    const request = new Request(new URL(path, location.origin))
    await clientLoader?.({ request, params, context: getContext() } as unknown as Parameters<ClientLoaderFunction>[0])
  } catch {
    // it is kept another time
  }
}

async function sendUnsent() {
  const { sendChanges } = await import('../../schedule/web/my-schedule.ts')
  await sendChanges()
}

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
  const favorites = await import('../../favorites/web/kept-list.ts')
  await favorites.keepFavorites(given)
}

function isFresh(choice: string): boolean {
  try {
    const [at = '', ...kept] = (localStorage.getItem(lastKept) ?? '').split(' ')
    return kept.join(' ') === standing(choice) && Date.now() - Number(at) < freshMs
  } catch {
    return false
  }
}

/** What is kept holds for whom and for which version: another one may ask for other answers, and look for them elsewhere. */
const standing = (choice: string) => `${choice} ${currentSession()} ${globals().__reactRouterManifest.url}`

const savesData = () => (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true
