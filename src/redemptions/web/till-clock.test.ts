import { createElement } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wordsOf } from '../../../test/rendered.ts'

/** ms that an answer takes */
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

it('a slow answer does not replace the stored offset of a till’s clock; half its duration is taken into account', async () => {
  const { storedOffset, measureOffset } = await import('./till-clock.ts')
  delayMs = 6000
  expect(await measureOffset()).toBe(-3000)
  delayMs = 200
  expect(await measureOffset()).toBe(-100)
  delayMs = 6000
  expect(await measureOffset()).toBe(-100)
  expect(storedOffset()).toBe(-100)
})

it('a redemption can be undone for as long as the server allows, also on a phone with a fast clock', async () => {
  const { tillStore } = await import('./till-store.ts')
  const { UndoButton } = await import('./UndoButton.tsx')
  const undo = async () => ({ answer: null, refused: null as never })
  const shown = () =>
    wordsOf(
      createElement(UndoButton, { id: '1', until: '2026-06-20T19:57:00Z', undo, changed: () => {} }),
      '2026-06-20T20:00:00Z',
    )
  expect(shown()).toBe('')
  tillStore.clock.set({ offset_ms: -10 * 60_000 })
  expect(shown()).toBe('Undo')
})
