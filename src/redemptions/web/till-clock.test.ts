import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** ms that an answer is on its way back */
let delayMs: number
beforeEach(() => {
  const stored = new Map<string, string>()
  vi.useFakeTimers({ now: Date.parse('2026-06-20T20:00:00Z'), toFake: ['Date', 'performance'] })
  vi.stubGlobal('document', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('fetch', async () => {
    const server_now = new Date().toISOString()
    vi.advanceTimersByTime(delayMs)
    return Response.json({ server_now })
  })
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('a slow answer replaces no known offset of a till’s clock, and half its way is taken into account', async () => {
  const { keptOffset, learnOffset } = await import('./till-clock.ts')
  delayMs = 6000
  expect(await learnOffset()).toBe(-3000)
  delayMs = 200
  expect(await learnOffset()).toBe(-100)
  delayMs = 6000
  expect(await learnOffset()).toBe(-100)
  expect(keptOffset()).toBe(-100)
})
