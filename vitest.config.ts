import { defineConfig } from 'vitest/config'

export default defineConfig({
  // the tests run the sources as they are; the screens come from the build, like in production
  plugins: [],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'test/stories/**/*.e2e.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // only what hangs reaches these: a busy machine may take several times as long as a quiet one
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    env: { TZ: 'UTC' },
  },
})
