import { expect, it, vi } from 'vitest'
import { importWithRetry } from './import-with-retry.ts'

it('a part whose file fails to load is loaded again until it succeeds', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => {})
  let tries = 0
  const part = importWithRetry(async () => {
    if (++tries < 3) throw new TypeError('Failed to fetch')
    return 'part'
  })
  await vi.advanceTimersByTimeAsync(3000)
  expect(await part).toBe('part')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
