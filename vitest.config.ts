import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testFiles } from './test/projects.ts'
import { LongFirst } from './test/set-up/order.ts'

const files = testFiles()

export default defineConfig({
  // the tests run the sources as they are; the screens come from the build, like in production
  plugins: [],
  test: {
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    retry: 0,
    // only what hangs reaches these, also on a machine that does something else beside
    testTimeout: 150_000,
    hookTimeout: 150_000,
    expect: { poll: { timeout: 90_000 } },
    // servers that tests start find their sources compiled, as with npm start
    env: { TZ: 'UTC', NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'build/compile-cache') },
    // docs/decisions/0021-three-test-projects.md
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: files.unit, isolate: false, setupFiles: ['test/set-up/own-modules.ts'] },
      },
      {
        extends: true,
        // files of a worker share the compiled app; each of them has databases of its own
        test: {
          name: 'api',
          include: files.api,
          isolate: false,
          setupFiles: ['test/set-up/clock.ts', 'test/set-up/quick-hashes.ts'],
          globalSetup: ['test/set-up/database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // a story walks many screens, drawn without a graphics card
          testTimeout: 300_000,
          hookTimeout: 300_000,
          include: files.browser,
          isolate: false,
          setupFiles: ['test/set-up/clock.ts', 'test/set-up/quick-hashes.ts'],
          globalSetup: [
            'test/set-up/build.ts',
            'test/set-up/database.ts',
            'test/set-up/chromium.ts',
            'test/set-up/engines.ts',
          ],
        },
      },
    ],
  },
})
