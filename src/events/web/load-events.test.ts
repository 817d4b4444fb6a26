import { RouterContextProvider } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { pageContext } from '../../kit/browser/ask.ts'
import { noteOfflineCopy, setConnection } from '../../kit/browser/connection.ts'
import { loadEvents } from './load-events.ts'

const days = ['2026-06-19', '2026-06-20', '2026-06-21'].map((day) => ({ day, events: 1 }))
afterEach(() => {
  vi.useRealTimers()
  setConnection({ isOffline: false, asOf: null })
})

async function dayShown(): Promise<string | null> {
  const context = new RouterContextProvider()
  const call = async (operation: string) => ({
    body: /programme/.test(operation) ? { days, today: '2026-06-19', stages: [], categories: [] } : [],
  })
  context.set(pageContext, { call, festival: { zone: 'Europe/Zurich' } } as never)
  const request = new Request('https://festival.example/events')
  return (await loadEvents({ context, request } as never)).day
}

it('a cached programme opens on the phone’s festival day, which ends at six in the morning; others on the server’s', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-06-21T03:00:00Z'), toFake: ['Date'] })
  expect(await dayShown()).toBe('2026-06-19')
  noteOfflineCopy('2026-06-19T18:00:00Z')
  expect(await dayShown()).toBe('2026-06-20')
})
