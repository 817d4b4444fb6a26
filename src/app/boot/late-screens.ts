import { setConnection } from '../../kit/browser/connection.ts'
import { createElement, type ComponentType } from 'react'
import {
  data,
  type ClientActionFunction,
  type ClientLoaderFunction,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunction,
} from 'react-router'

/** What a file of a screen exports, as far as the router takes it in the browser. */
interface Screen {
  default: ComponentType
  clientLoader?: ClientLoaderFunction
  clientAction?: ClientActionFunction
  shouldRevalidate?: ShouldRevalidateFunction
}

interface Globals {
  __reactRouterManifest: { routes: Record<string, { module: string; hasLoader: boolean }> }
  __reactRouterRouteModules: Record<string, Screen>
  __reactRouterDataRouter?: { state: { navigation: { location?: { hash: string } } } }
}

/** The file of each screen by its route. */
export const screenFiles = () => Object.values(globals().__reactRouterManifest.routes).map(({ module }) => module)

/**
 * Gives the router all screens at once, those that have not come yet as ones that fetch themselves when somebody goes
 * there. It would fetch them too, but reload the page for one that does not come: without a connection that puts the
 * browser's own error in the place of what one was looking at. Before the router is made.
 */
export function fetchScreensLate(): void {
  const { __reactRouterManifest, __reactRouterRouteModules: screens } = globals()
  for (const [id, { module, hasLoader }] of Object.entries(__reactRouterManifest.routes))
    screens[id] ??= lateScreen(module, hasLoader)
}

function lateScreen(file: string, hasLoader: boolean): Screen {
  let screen: Screen | null = null
  const arrived = async ({ request }: { request: Request }): Promise<Screen> =>
    (screen ??= await (import(/* @vite-ignore */ file) as Promise<Screen>).catch(() => missing(file, request)))
  const ofServer = ({ serverLoader }: ClientLoaderFunctionArgs) => (hasLoader ? serverLoader() : null)
  return {
    // nothing is drawn before its loader has run
    default: () => screen && createElement(screen.default),
    clientLoader: async (asked) => ((await arrived(asked)).clientLoader ?? ofServer)(asked),
    clientAction: async (asked) =>
      ((await arrived(asked)).clientAction ?? (({ serverAction }) => serverAction()))(asked),
    shouldRevalidate: (asked) => screen?.shouldRevalidate?.(asked) ?? asked.defaultShouldRevalidate,
  }
}

const reachTimeoutMs = 5000

/**
 * A screen that did not come: without a connection the offline screen takes its place. Where the server can be reached the
 * page goes there as a new document: a new version has other files, and browsers keep in mind what has failed.
 */
async function missing(file: string, wanted: Request): Promise<never> {
  const signal = AbortSignal.timeout(reachTimeoutMs)
  const isReachable = await fetch(file, { method: 'HEAD', cache: 'no-store', signal }).then(
    () => true,
    () => false,
  )
  if (!isReachable) setConnection({ isOffline: true })
  if (!isReachable) throw data({ status: 0, code: 'offline', error: '' }, { status: 503 })
  // who went elsewhere meanwhile is not called back, nor does their new page take the place of the one before
  if (!wanted.signal.aborted) goTo(wanted.url)
  return new Promise(() => {})
}

/** With the place on the page that was wanted, of which requests say nothing. On the way back the browser is there already. */
function goTo(url: string) {
  const { location: next } = globals().__reactRouterDataRouter?.state.navigation ?? {}
  if (location.href.split('#')[0] === url) location.reload()
  else location.assign(url + (next?.hash ?? ''))
}

const globals = () => window as unknown as Globals
