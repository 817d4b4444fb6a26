import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** Screens of each room: `../deals/web/routes.ts` -> address -> screen. */
const opened = import.meta.glob<Record<string, string>>('../*/web/routes.ts', { eager: true, import: 'screens' })

/** Address -> screen of all rooms, with paths from this folder. */
const roomScreens = Object.fromEntries(
  Object.entries(opened).flatMap(([file, screens]) =>
    Object.entries(screens).map(([address, screen]) => [address, file.replace(/routes\.ts$/, screen)]),
  ),
)

/** Screens of the app itself, which show several rooms or none. They replace a room's screen at the same address. */
const ownScreens = {
  deals: 'screens/DealsScreen.tsx',
  'deal/:deal_id': 'screens/DealScreen.tsx',
  business: 'screens/MerchantsScreen.tsx',
  'business/:business_id': 'screens/BusinessScreen.tsx',
  terms: 'screens/info/TermsScreen.tsx',
  privacy: 'screens/info/PrivacyScreen.tsx',
  help: 'screens/info/HelpScreen.tsx',
  'learn-more': 'screens/info/LearnMoreScreen.tsx',
  'map-data': 'screens/info/MapDataScreen.tsx',
  events: 'screens/EventsScreen.tsx',
  'event/:event_id': 'screens/EventScreen.tsx',
  maps: 'screens/MapsScreen.tsx',
  search: 'screens/SearchScreen.tsx',
  dashboard: 'screens/DashboardScreen.tsx',
  settings: 'screens/SettingsScreen.tsx',
  offline: 'screens/OfflineScreen.tsx',
  logout: 'screens/LogoutScreen.tsx',
}

export default [
  // a pathless layout: its error boundary catches errors of screens before they reach the document
  layout('screens/Frame.tsx', [
    index('screens/HomeScreen.tsx'),
    ...Object.entries({ ...roomScreens, ...ownScreens }).map(([path, file]) => route(path, file, { id: path })),
    route('*', 'screens/NotFoundScreen.tsx'),
  ]),
] satisfies RouteConfig
