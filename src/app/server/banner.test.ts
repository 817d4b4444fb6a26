import { afterEach, expect, it, vi } from 'vitest'
import { askBanner } from './banner.ts'

afterEach(() => void vi.useRealTimers())

it('a page does not wait for a banner that takes long or fails: it shows the last one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let answer: Promise<string> = Promise.resolve('<p>Storm</p>')
  const ask = askBanner((() => [() => answer]) as never)
  expect(await ask('de')).toBe('<p>Storm</p>')
  answer = new Promise(() => {})
  vi.advanceTimersByTime(1001)
  expect(await ask('de')).toBe('<p>Storm</p>')
  expect(await ask('fr')).toBe('')
  answer = Promise.reject(new Error('away'))
  vi.advanceTimersByTime(1001)
  expect(await ask('de')).toBe('<p>Storm</p>')
})
