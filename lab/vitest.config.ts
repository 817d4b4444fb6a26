import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: { include: ['lab/**/*.test.ts'], testTimeout: 150_000, env: { TZ: 'UTC' } },
})
