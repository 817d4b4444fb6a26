import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** What each room has: `../deals/web/routes.ts` -> address -> screen. */
const opened = import.meta.glob<Record<string, string>>('../*/web/routes.ts', { eager: true, import: 'screens' })

/** Address -> screen, over all rooms, as seen from this folder. */
const roomScreens = Object.fromEntries(
  Object.entries(opened).flatMap(([file, screens]) =>
    Object.entries(screens).map(([address, screen]) => [address, file.replace(/routes\.ts$/, screen)]),
  ),
)

/** Pages that show several rooms, or none; they take the place of a room's own screen. */
const ownScreens = {
  deals: 'screens/DealsScreen.tsx',
  'deal/:deal_id': 'screens/DealScreen.tsx',
  'business/:business_id': 'screens/BusinessScreen.tsx',
  terms: 'screens/info/TermsScreen.tsx',
  privacy: 'screens/info/PrivacyScreen.tsx',
  help: 'screens/info/HelpScreen.tsx',
  'learn-more': 'screens/info/LearnMoreScreen.tsx',
  'map-data': 'screens/info/MapDataScreen.tsx',
  events: 'screens/EventsScreen.tsx',
  'event/:event_id': 'screens/EventScreen.tsx',
  maps: 'screens/MapsScreen.tsx',
  dashboard: 'screens/DashboardScreen.tsx',
  settings: 'screens/SettingsScreen.tsx',
  offline: 'screens/OfflineScreen.tsx',
  logout: 'screens/LogoutScreen.tsx',
}

/** Every URL and its screen: the roof's own and those that the rooms name. */
export default [
  // a pathless layout, so that errors of screens end below the document and never in it
  layout('screens/Frame.tsx', [
    index('screens/HomeScreen.tsx'),
    ...Object.entries({ ...roomScreens, ...ownScreens }).map(([path, file]) => route(path, file, { id: path })),
    route('*', 'screens/NotFoundScreen.tsx'),
  ]),
] satisfies RouteConfig
