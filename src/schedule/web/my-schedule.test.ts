import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { staleAfterMs } from '../../kit/browser/on-return.ts'
import type * as mySchedule from './my-schedule.ts'

const event = {
  event_id: 'event-1',
  title: 'Nachtmusik',
  starts_at: '2026-06-20T20:00:00Z',
  ends_at: null,
  status: 'scheduled',
  festival_day: '2026-06-20',
}
type Entry = { entry_id: string; event: typeof event; note: string | null; updated_at: string }

let server: { isAway: boolean; isBusy?: boolean; entries: Entry[]; share_url: string | null }
/** The answers to lists come after it. */
let held: Promise<void> | null
/** What a removal is answered that never reached the server. */
let hangs: Promise<never> | null
/** The answers to additions come after it. */
let adds: Promise<void> | null
/** Whether additions reach the server and their answers get lost. */
let loses: boolean
let asked: number
/** The last addition as it was sent. */
let sent: unknown
let accountId: string
let feed: string | null
let stored: Map<string, string>
let page: EventTarget & { hidden?: boolean }
let window: EventTarget
let schedule: typeof mySchedule

const entryNow = (note: string | null = null): Entry => ({
  entry_id: 'entry-1',
  event,
  note,
  updated_at: new Date().toISOString(),
})

function answer(method: string, path: string, body: { note?: string }): Response {
  const account = { feed_url: feed, share_url: server.share_url, today: '2026-06-20', account_id: accountId }
  if (method === 'GET') return Response.json({ entries: server.entries, ...account })
  if (method === 'POST' && path.endsWith('/feed/rotate')) {
    feed = 'https://example.org/new.ics'
    return Response.json({ feed_url: feed })
  }
  if (method === 'POST') {
    sent = body
    const entry = entryNow(body.note)
    server.entries = [entry]
    return Response.json({ entry, clashes: [] }, { status: 201 })
  }
  const known = server.entries.find(({ entry_id }) => path.split('?')[0]!.endsWith(`/${entry_id}`))
  if (!known) return Response.json({ error: 'gone', code: 'entry_not_found' }, { status: 404 })
  if (method === 'DELETE') {
    server.entries = []
    return new Response(null, { status: 204 })
  }
  Object.assign(known, body)
  return Response.json(known)
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-20T18:00:00Z') })
  held = hangs = adds = null
  asked = 0
  accountId = 'lena'
  feed = null
  loses = false
  page = new EventTarget()
  window = new EventTarget()
  server = { isAway: false, entries: [], share_url: null }
  stored = new Map([
    ['authToken', 'lena'],
    ['userType', 'user'],
  ])
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', Object.assign(page, { documentElement: { dataset: {} } }))
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body?: string }) => {
    if (server.isAway) throw new TypeError('away')
    if (server.isBusy) return Response.json({ error: 'busy', code: 'busy' }, { status: 503 })
    if (method === 'DELETE' && hangs) await hangs
    if (method === 'GET') asked++
    const told = answer(method, url, JSON.parse(body ?? '{}') as object)
    if (method === 'GET') await held
    if (method === 'POST') await adds
    if (method === 'POST' && loses) throw new TypeError('lost')
    return told
  })
  vi.resetModules()
  schedule = await import('./my-schedule.ts')
  await schedule.load()
})
afterEach(() => {
  vi.useRealTimers()
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

  it('is sent with its age, so that a later removal on another phone wins', async () => {
    vi.setSystemTime(Date.now() + 90_500)
    await schedule.sendChanges()
    expect(sent).toEqual({ event_id: event.event_id, seconds_ago: 90 })
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

it('what was added, its answer lost, and then removed without a network is gone on the server too', async () => {
  loses = true
  expect(await schedule.add(event)).toBeNull()
  expect(server.entries).toHaveLength(1)
  loses = false
  server.isAway = true
  expect(await schedule.remove(schedule.entryOf(event.event_id)!)).toBeNull()
  expect(schedule.savedEntries()).toEqual([])
  server.isAway = false
  await schedule.sendChanges()
  expect(server.entries).toEqual([])
  expect(schedule.savedEntries()).toEqual([])
})

describe('a list that was loaded', () => {
  const moved = { ...event, starts_at: '2026-06-20T20:30:00Z' }
  const times = () => schedule.savedEntries().map((entry) => entry.event.starts_at)
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
  beforeEach(async () => {
    await schedule.add(event)
    server.entries = [{ ...server.entries[0]!, event: moved }]
    asked = 0
  })

  it('is loaded again where it is older than what is asked for, and shows an event at its new time', async () => {
    pass(4999)
    await schedule.renew(5000)
    await schedule.renew()
    expect([asked, times()]).toEqual([0, [event.starts_at]])
    pass(1)
    await schedule.renew(5000)
    expect([asked, times()]).toEqual([1, [moved.starts_at]])
  })

  it('is loaded again when somebody comes back to it after some minutes, or to the network', async () => {
    const stop = schedule.followSchedule(() => {})
    const comeBack = () => page.dispatchEvent(new Event('visibilitychange'))
    comeBack()
    expect(asked).toBe(0)
    pass(staleAfterMs)
    comeBack()
    await expect.poll(times).toEqual([moved.starts_at])
    server.entries = []
    pass(staleAfterMs)
    window.dispatchEvent(new Event('online'))
    await expect.poll(times).toEqual([])
    stop()
  })

  it('is that of another tab as soon as it has a newer one, also under what this tab saves next', async () => {
    const stop = schedule.followSchedule(() => {})
    const theirs = JSON.parse(stored.get('mySchedule')!) as { schedule: { entries: Entry[] } }
    const other = { ...entryNow('theirs'), entry_id: 'entry-2', event: { ...moved, event_id: 'event-2' } }
    theirs.schedule.entries.push(other)
    stored.set('mySchedule', JSON.stringify(theirs))
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'mySchedule' }))
    expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry-1' }, { entry_id: 'entry-2' }])
    await schedule.change(schedule.entryOf('event-1')!, { note: 'mine' })
    expect(JSON.parse(stored.get('mySchedule')!)).toMatchObject({
      schedule: { entries: [{ note: 'mine' }, { note: 'theirs' }] },
    })
    stop()
  })
})

describe('a removal that hangs and fails later', () => {
  let fail: () => void
  let removing: Promise<unknown>
  beforeEach(async () => {
    await schedule.add(event)
    const never = Promise.withResolvers<never>()
    hangs = never.promise
    fail = () => never.reject(new TypeError('away'))
    removing = schedule.remove(schedule.entryOf(event.event_id)!)
    vi.setSystemTime(Date.now() + 2000)
  })
  const theEvent = { event: { event_id: event.event_id } }

  it('does not delete the event that was added again meanwhile, and waits for nothing', async () => {
    await schedule.add(event)
    fail()
    await removing
    expect(schedule.unsentChanges()).toEqual([])
    expect(schedule.savedEntries()).toMatchObject([theEvent])
  })

  it('does not delete it either where it fails before the addition is answered', async () => {
    const slow = Promise.withResolvers<void>()
    adds = slow.promise
    const adding = schedule.add(event)
    fail()
    await removing
    expect(schedule.unsentChanges()).toMatchObject([{ what: 'remove' }])
    slow.resolve()
    await adding
    expect(schedule.unsentChanges()).toEqual([])
    expect(schedule.savedEntries()).toMatchObject([theEvent])
  })

  it('does not undo an addition that waits to be sent', async () => {
    // the server has heard of the removal all the same
    server = { ...server, isAway: true, entries: [] }
    await schedule.add(event)
    fail()
    await removing
    server.isAway = false
    hangs = null
    await schedule.sendChanges()
    expect(server.entries).toMatchObject([theEvent])
    expect(schedule.savedEntries()).toMatchObject([theEvent])
  })

  it('counts from the tap: what another device has changed since stays, and the person is told', async () => {
    server.entries = [entryNow('from my laptop')]
    vi.setSystemTime(Date.now() + 2000)
    fail()
    await removing
    hangs = null
    await schedule.sendChanges()
    expect(server.entries).toMatchObject([{ note: 'from my laptop' }])
  })
})

describe('an event that is tapped again while it is being added', () => {
  let answered: () => void
  let adding: Promise<unknown>
  beforeEach(() => {
    const slow = Promise.withResolvers<void>()
    adds = slow.promise
    answered = slow.resolve
    adding = schedule.add(event)
  })

  it('is not in the schedule in the end', async () => {
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    const removing = schedule.remove({ event })
    expect(schedule.isInSchedule(event.event_id)).toBe(false)
    answered()
    await Promise.all([adding, removing])
    expect(server.entries).toEqual([])
    expect(schedule.savedEntries()).toEqual([])
    expect(schedule.isInSchedule(event.event_id)).toBe(false)
  })

  it('is in it after a third tap', async () => {
    const removing = schedule.remove({ event })
    const again = schedule.add(event)
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    answered()
    await Promise.all([adding, removing, again])
    expect(server.entries).toHaveLength(1)
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
  })
})

it('what one account has not sent stays on the phone while another one uses it, and is sent with its next login', async () => {
  const enter = async (name: string) => {
    accountId = name
    stored.set('authToken', name)
    stored.delete('mySchedule')
    vi.resetModules()
    schedule = await import('./my-schedule.ts')
    await schedule.renew()
  }
  const another = { ...event, event_id: 'event-2', title: 'Morgenmusik' }
  server.isAway = true
  await schedule.add(event)
  server.isAway = false
  await enter('noah')
  expect(schedule.unsentChanges()).toEqual([])
  server.isAway = true
  await schedule.add(another)
  expect(schedule.unsentChanges()).toMatchObject([{ event_id: 'event-2' }])
  // noah logs out
  stored.delete('unsent.schedule')
  stored.delete('unsent')
  server = { ...server, isAway: false, entries: [] }
  await enter('lena')
  expect(server.entries).toMatchObject([{ event: { event_id: 'event-1' } }])
  expect(schedule.unsentChanges()).toEqual([])
  expect(stored.has('aside.schedule')).toBe(false)
})

it('the address for calendars that another device has made is shown, and not replaced', async () => {
  const shown = () => new Promise((resolve) => schedule.followSchedule(() => resolve(stored.get('mySchedule'))))
  feed = 'https://example.org/phone.ics'
  const told = shown()
  expect(await schedule.startFeed()).toBeNull()
  expect(await told).toContain('phone.ics')
  feed = null
  const anew = shown()
  expect(await schedule.startFeed()).toBeNull()
  expect(await anew).toContain('new.ics')
})

it('a schedule that the phone shows because the server is too busy says its age', async () => {
  const { currentConnection } = await import('../../kit/browser/connection.ts')
  server.isBusy = true
  await schedule.load()
  expect(currentConnection()).toMatchObject({ isOffline: true, asOf: '2026-06-20T18:00:00.000Z' })
})
