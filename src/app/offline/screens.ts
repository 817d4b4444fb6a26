import { matchPath, type ClientLoaderFunction, type Params } from 'react-router'

/** Screens whose loaders ask for answers that the service worker caches, by route. The first match counts. */
const screens: Record<string, () => Promise<object>> = {
  '/': () => import('../screens/HomeScreen.tsx'),
  '/events': () => import('../screens/EventsScreen.tsx'),
  '/event/:event_id': () => import('../screens/EventScreen.tsx'),
  '/deals': () => import('../screens/DealsScreen.tsx'),
  '/deal/:deal_id': () => import('../screens/DealScreen.tsx'),
  '/business': () => import('../../businesses/web/BusinessesScreen.tsx'),
  '/business/:business_id': () => import('../screens/BusinessScreen.tsx'),
  '/dealsmap': () => import('../../deals/web/DealsMapScreen.tsx'),
  '/forum': () => import('../../forum/web/ForumScreen.tsx'),
  '/forum/new': () => import('../../forum/web/NewTopicScreen.tsx'),
  '/forum/search': () => import('../../forum/web/ForumSearchScreen.tsx'),
  '/forum/:category': () => import('../../forum/web/ForumScreen.tsx'),
  '/forum/members/:handle': () => import('../../forum/web/MemberScreen.tsx'),
  '/topic/:topic_id': () => import('../../forum/web/TopicScreen.tsx'),
}

interface ScreenLoader {
  load: ClientLoaderFunction
  params: Params
}

/**
 * The loader of the screen at a path, with its parameters; null: the screen loads nothing that is cached.
 *
 * @throws when the file of the screen cannot be fetched
 */
export async function loaderOf(path: string): Promise<ScreenLoader | null> {
  for (const [pattern, fetchScreen] of Object.entries(screens)) {
    const match = matchPath(pattern, path)
    if (!match) continue
    const { clientLoader } = (await fetchScreen()) as { clientLoader?: ClientLoaderFunction }
    return clientLoader ? { load: clientLoader, params: match.params } : null
  }
  return null
}
