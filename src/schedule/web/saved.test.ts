import { createElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { wordsOf } from '../../../test/rendered.ts'
import { StoredHere } from '../../../test/stored-here.ts'
import type { SavedEvent } from './my-schedule.ts'

const event = (event_id: string): SavedEvent => ({
  event_id,
  title: event_id,
  starts_at: '2026-06-20T20:00:00Z',
  ends_at: null,
  status: 'scheduled',
})
const useBrowser = async (items: Record<string, string> = {}) => {
  vi.stubGlobal('localStorage', StoredHere.of(items))
  vi.resetModules()
  return import('./saved.ts')
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('presses before the code is loaded are handled later, once and in order', async () => {
  const { answerPresses, press } = await useBrowser()
  const answered: string[] = []
  const answer = ({ event_id }: SavedEvent) => void answered.push(event_id)
  press(event('a'))
  press(event('b'))
  answerPresses(answer)
  expect(answered).toEqual(['a', 'b'])
  press(event('c'))
  answerPresses(null)
  press(event('d'))
  expect(answered).toEqual(['a', 'b', 'c'])
  answerPresses(answer)
  expect(answered).toEqual(['a', 'b', 'c', 'd'])
})

it('each button follows its own event alone, so that of hundreds only the changed one renders', async () => {
  const { isSaved, updateSaved, useIsSaved } = await useBrowser({ authToken: 'lena', userType: 'user' })
  updateSaved((eventId) => eventId === 'a')
  expect(['a', 'b'].map(isSaved)).toEqual([true, false])
  // the value is a boolean, which stays the same until a change; on the server nothing is saved
  const Button = () => String(useIsSaved('a'))
  expect(wordsOf(createElement(Button), '2026-06-20T12:00:00Z')).toBe('false')
})
