import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { get } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { pageContext } from '../../kit/browser/ask.ts'
import { answerOf } from '../../../test/rendered.ts'
import { usePacked } from '../../kit/browser/packed.ts'
import { overAt, type LineEvent } from './card-event.ts'
import { loadEvents, type EventLists } from './load-events.ts'
import { partsAt } from './programme-parts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ demo: true })
})
afterAll(() => app.close())

/** Every four hours of the week whose weekend is the festival. */
const moments = Array.from({ length: 42 }, (_, index) =>
  Temporal.Instant.from('2026-06-17T02:00:00Z')
    .add({ hours: index * 4 })
    .toString(),
)

/** The programme as the page loads it from the API. */
async function loadPage(search = '') {
  const context = new RouterContextProvider()
  const call = async (operation: string, input: { query?: Record<string, string> }) => {
    const values = Object.entries(input?.query ?? {}).filter(([, value]) => value !== undefined)
    const path = `${operation.replace(/^\w+ /, '')}?${new URLSearchParams(values)}`
    const { body, headers } = await get(app, path)
    const next = /after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? null
    return { body, next, total: Number(headers.get('x-total-count')) }
  }
  context.set(pageContext, { call, festival: { zone: 'Europe/Zurich' } } as never)
  return loadEvents({ context, request: new Request(`https://festival.example/events${search}`) } as never)
}

it.each(moments)(
  'at %s the programme opens on a day with something left, and begins with what is not over',
  async (at) => {
    app.setNow(at)
    const now = Date.parse(at)
    for (const [filter, view] of [
      ['', ''],
      ['', 'view=grid'],
      ['category=music', ''],
    ]) {
      const page = `?${filter}&${view}`
      const { lists } = await loadPage(page)
      const { events, grid } = answerOf(() => usePacked<EventLists>(lists), at)
      const shown = grid ?? events
      expect(shown.length, page).toBeGreaterThan(0)
      const { running, coming } = partsAt<LineEvent>(shown, now, () => false)
      const first = running[0] ?? coming[0]
      // without one, nothing is left in the whole programme
      if (!first) expect((await get(app, `/api/events?upcoming=true&${filter}`)).body, page).toEqual([])
      else expect([overAt(first) > now, first.status], page).toEqual([true, expect.not.stringMatching('cancelled')])
    }
  },
)
