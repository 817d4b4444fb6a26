import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'
import { roomScreens, soonPages } from './soon.ts'

/** Pages that show several rooms, or none. */
const ownScreens = {
  'business/:business_id': 'BusinessScreen.tsx',
  terms: 'info/TermsScreen.tsx',
  privacy: 'info/PrivacyScreen.tsx',
  help: 'info/HelpScreen.tsx',
  'learn-more': 'info/LearnMoreScreen.tsx',
  'map-data': 'info/MapDataScreen.tsx',
  maps: 'MapsScreen.tsx',
  dashboard: 'DashboardScreen.tsx',
}

/** Every URL and its screen: the roof's own, those that the rooms name, and one sentence for rooms that are to come. */
export default [
  // a pathless layout, so that errors of screens end below the document and never in it
  layout('Frame.tsx', [
    index('HomeScreen.tsx'),
    ...Object.entries({ ...ownScreens, ...roomScreens }).map(([path, file]) => route(path, file, { id: path })),
    // they answer 200 with their name and one honest sentence
    ...soonPages.map((path) => route(path, 'SoonScreen.tsx', { id: `soon:${path}` })),
    route('*', 'NotFoundScreen.tsx'),
  ]),
] satisfies RouteConfig
