import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/app',
  buildDirectory: 'build',
  ssr: true,
  // loaders are small: one built file for a screen instead of two
  splitRouteModules: false,
  // all routes are in one small manifest: no further requests while browsing, and none to guess addresses with
  routeDiscovery: { mode: 'initial' },
} satisfies Config
