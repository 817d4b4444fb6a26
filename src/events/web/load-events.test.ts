import { RouterContextProvider } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { pageContext } from '../../kit/browser/ask.ts'
import { noteOfflineCopy, setConnection } from '../../kit/browser/connection.ts'
import { loadEvents } from './load-events.ts'

const days = [
  { day: '2026-06-19', events: 1, over_at: '2026-06-19T23:00:00Z' },
  { day: '2026-06-20', events: 1, over_at: '2026-06-21T02:00:00Z' },
  { day: '2026-06-21', events: 1, over_at: '2026-06-21T20:00:00Z' },
]
afterEach(() => {
  vi.useRealTimers()
  setConnection({ isOffline: false, asOf: null })
})

/** The day that opens when the server answers at `now`. */
async function dayShown(now: string, programme = days): Promise<string | null> {
  const context = new RouterContextProvider()
  const call = async (operation: string) => ({
    body: /programme/.test(operation) ? { days: programme, now, stages: [], categories: [] } : [],
  })
  context.set(pageContext, { call, festival: { zone: 'Europe/Zurich' } } as never)
  const request = new Request('https://festival.example/events')
  return (await loadEvents({ context, request } as never)).day
}

it.each([
  ['two days before', '2026-06-17T10:00:00Z', '2026-06-19'],
  ['on Friday night', '2026-06-19T22:30:00Z', '2026-06-19'],
  ['after the last concert of the night', '2026-06-19T23:30:00Z', '2026-06-20'],
  ['before the last concert of the night is over', '2026-06-21T01:59:00Z', '2026-06-20'],
  ['on Sunday at 05:15', '2026-06-21T03:15:00Z', '2026-06-21'],
  ['after the festival', '2026-06-22T10:00:00Z', '2026-06-21'],
])('the programme opens on the first day with something left: %s', async (_, now, day) => {
  expect(await dayShown(now)).toBe(day)
})

it('a day of all-day events has something left until six in the morning', async () => {
  const allDay = days.map((each) => ({ ...each, over_at: null! }))
  expect(await dayShown('2026-06-21T03:59:00Z', allDay)).toBe('2026-06-20')
  expect(await dayShown('2026-06-21T04:01:00Z', allDay)).toBe('2026-06-21')
})

it('a programme without a readable time opens by the clock of the phone', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-06-21T03:15:00Z'), toFake: ['Date'] })
  expect(await dayShown('soon')).toBe('2026-06-21')
})

it('a programme from the cache of the phone opens by the present time, not by that of the answer', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-06-21T03:15:00Z'), toFake: ['Date'] })
  expect(await dayShown('2026-06-19T18:00:00Z')).toBe('2026-06-19')
  noteOfflineCopy('2026-06-19T18:00:00Z')
  expect(await dayShown('2026-06-19T18:00:00Z')).toBe('2026-06-21')
})
