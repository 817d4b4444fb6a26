import { afterAll, vi } from 'vitest'

/** Files of a worker share its process, and nothing that another file has put in the place of something. */
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.resetModules()
})
