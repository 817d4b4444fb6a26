import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'
import { roomScreens, soonPages } from './soon.ts'

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

/** Every URL and its screen: the roof's own, those that the rooms name, and one sentence for rooms that are to come. */
export default [
  // a pathless layout, so that errors of screens end below the document and never in it
  layout('screens/Frame.tsx', [
    index('screens/HomeScreen.tsx'),
    ...Object.entries({ ...roomScreens, ...ownScreens }).map(([path, file]) => route(path, file, { id: path })),
    // they answer 200 with their name and one honest sentence
    ...soonPages.map((path) => route(path, 'screens/SoonScreen.tsx', { id: `soon:${path}` })),
    route('*', 'screens/NotFoundScreen.tsx'),
  ]),
] satisfies RouteConfig
