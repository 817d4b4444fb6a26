import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, startTestApp, type TestApp } from '../../test/start-app.ts'
import type { ListedEvent } from './contract.ts'
import { searchStoredEvents } from './stored-search.ts'

let app: TestApp
let stored: ListedEvent[]
const ask = async (query: string) => (await api(app, `/api/events?${query}`)).body as ListedEvent[]
beforeAll(async () => {
  app = await startTestApp({ demo: true })
  const { days } = (await api(app, '/api/events/programme')).body as { days: { day: string }[] }
  stored = (await Promise.all(days.map(({ day }) => ask(`day=${day}`)))).flat()
})
afterAll(() => app.close())

it.each([
  '',
  'category=music',
  'free=true',
  'family=true',
  'free=true&category=workshop',
  'q=yoga',
  'q=kaserne',
  'q=dj',
])('without a network a phone finds the events that the server finds: %s', async (query) => {
  const asked = Object.fromEntries(new URLSearchParams(query))
  const mine = searchStoredEvents(stored, {
    ...asked,
    free: asked['free'] === 'true',
    family: asked['family'] === 'true',
  })
  const found: ListedEvent[] = []
  for (let offset = 0; ; offset += 100) {
    const rows = await ask(`${query}&limit=100&offset=${offset}`)
    found.push(...rows)
    if (rows.length < 100) break
  }
  const names = (events: ListedEvent[]) => events.map(({ title, starts_at }) => `${starts_at} ${title}`)
  expect(found.length).toBeGreaterThan(0)
  // the server looks into descriptions too
  if (asked['q']) expect(names(found)).toEqual(expect.arrayContaining(names(mine)))
  else expect(names(mine)).toEqual(names(found))
})
