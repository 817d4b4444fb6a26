import { resolve } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Test files of a worker share its modules, since most of their time is loading modules. Each file has its own databases. */
const shared = { isolate: false } as const
const clock = ['test/set-up/clock.ts', 'test/set-up/quick-hashes.ts']

/** A test file's name says what it needs (docs/decisions/0021-three-test-projects.md). */
const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      ...shared,
      name: 'unit',
      include: ['{src,test}/**/*.test.ts'],
      exclude: ['**/*.api.test.ts'],
      setupFiles: ['test/set-up/own-modules.ts'],
    },
  },
  {
    extends: true,
    test: {
      ...shared,
      name: 'api',
      include: ['{src,test}/**/*.api.test.ts'],
      setupFiles: clock,
      globalSetup: ['test/set-up/database.ts'],
    },
  },
  {
    extends: true,
    test: {
      ...shared,
      name: 'browser',
      include: ['{src,test}/**/*.e2e.ts'],
      // a story opens many screens, without a graphics card
      testTimeout: 300_000,
      hookTimeout: 300_000,
      setupFiles: clock,
      globalSetup: [
        'test/set-up/build.ts',
        'test/set-up/database.ts',
        'test/set-up/chromium.ts',
        'test/set-up/engines.ts',
      ],
    },
  },
]

export default defineConfig({
  // tests run the sources without plugins; screens come from the build, as in production
  plugins: [],
  test: {
    pool: 'forks',
    maxWorkers: 3,
    retry: 0,
    // long enough for a busy machine: only a test that hangs reaches these
    testTimeout: 150_000,
    hookTimeout: 150_000,
    expect: { poll: { timeout: 90_000 } },
    // lets servers that tests start use compiled code
    env: { TZ: 'UTC', NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'build/compile-cache') },
    projects,
  },
})
