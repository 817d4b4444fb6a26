import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/app',
  buildDirectory: 'build',
  ssr: true,
  // all routes are in one small manifest: no further requests while browsing, and none to guess addresses with
  routeDiscovery: { mode: 'initial' },
} satisfies Config
