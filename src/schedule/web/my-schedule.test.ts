import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import type * as mySchedule from './my-schedule.ts'

const event = {
  event_id: 'event-1',
  title: 'Nachtmusik',
  starts_at: '2026-06-20T20:00:00Z',
  ends_at: null,
  status: 'scheduled',
  festival_day: '2026-06-20',
}
type Entry = { entry_id: string; event: typeof event; note: string | null }

let server: { isAway: boolean; entries: Entry[]; share_url: string | null }
/** The answers to lists come after it. */
let held: Promise<void> | null
let schedule: typeof mySchedule

function answer(method: string, path: string, body: { note?: string }): Response {
  const account = { feed_url: null, share_url: server.share_url, today: '2026-06-20', account_id: 'lena' }
  if (method === 'GET') return Response.json({ entries: server.entries, ...account })
  if (method === 'POST') {
    const entry = { entry_id: 'entry-1', event, note: body.note ?? null }
    server.entries = [entry]
    return Response.json({ entry, clashes: [] }, { status: 201 })
  }
  const known = server.entries.find(({ entry_id }) => path.endsWith(`/${entry_id}`))
  if (!known) return Response.json({ error: 'gone', code: 'entry_not_found' }, { status: 404 })
  if (method === 'DELETE') {
    server.entries = []
    return new Response(null, { status: 204 })
  }
  Object.assign(known, body)
  return Response.json(known)
}

beforeEach(async () => {
  held = null
  server = { isAway: false, entries: [], share_url: null }
  const stored = new Map([
    ['authToken', 'lena'],
    ['userType', 'user'],
  ])
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body?: string }) => {
    if (server.isAway) throw new TypeError('away')
    const told = answer(method, url, JSON.parse(body ?? '{}') as object)
    if (method === 'GET') await held
    return told
  })
  vi.resetModules()
  schedule = await import('./my-schedule.ts')
  await schedule.load()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('what was added without a network', () => {
  beforeEach(async () => {
    server.isAway = true
    expect(await schedule.add(event)).toBeNull()
    // the network is back, and the browser has not said so
    server.isAway = false
  })

  it('can be removed', async () => {
    expect(await schedule.remove(schedule.entryOf(event.event_id)!)).toBeNull()
    expect(server.entries).toEqual([])
    expect(schedule.savedEntries()).toEqual([])
  })

  it('can be changed', async () => {
    expect(await schedule.change(schedule.entryOf(event.event_id)!, { note: 'left of the stage' })).toBeNull()
    expect(server.entries).toMatchObject([{ note: 'left of the stage' }])
    expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry-1', note: 'left of the stage' }])
  })
})

it('an event that was added stays when an older list comes after it, and so does a removal', async () => {
  const list = async (meanwhile: () => Promise<unknown>) => {
    const slow = Promise.withResolvers<void>()
    held = slow.promise
    const loading = schedule.load()
    expect(await meanwhile()).toBeNull()
    held = null
    slow.resolve()
    await loading
  }
  await list(() => schedule.add(event))
  expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry-1' }])
  await list(() => schedule.remove(schedule.entryOf(event.event_id)!))
  expect(schedule.savedEntries()).toEqual([])
})

it('Of many events of a friend those go first that are not in the schedule yet, 200 at once', () => {
  const events = Array.from({ length: 450 }, (_, n) => ({ event_id: `event-${n}` }))
  const there = new Set<string>()
  const sizes: number[] = []
  for (let next: string[]; (next = schedule.nextToBring(events, there)).length > 0;) {
    sizes.push(next.length)
    for (const id of next) there.add(id)
  }
  expect(sizes).toEqual([200, 200, 50])
})
