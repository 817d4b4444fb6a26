import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'
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
const another = { ...event, event_id: 'event-2', title: 'Morgenmusik' }
type Entry = { entry_id: string; event: typeof event; note: string | null; updated_at: string }
interface Sent {
  event_id: string
  note?: string | null
  seconds_ago?: number
}

let server: { isAway: boolean; isBusy?: boolean; entries: Entry[]; share_url: string | null }
/** Delays answers to lists. */
let held: Promise<void> | null
/** A removal that hangs and then fails, without reaching the server. */
let hangs: Promise<never> | null
/** Delays answers to additions. */
let adds: Promise<void> | null
/** true: additions reach the server, but their answers are lost. */
let loses: boolean
/** The answer to the next change. */
let refusal: { status: number; code: string; error: string } | null
/** Fields that another device changed later. */
let overruled: string[]
/** Requests in order. */
let asked: string[]
let sent: Sent[]
let accountId: string
let feed: string | null
let stored: Storage & { room: number }
let page: EventTarget & { hidden?: boolean }
let window: EventTarget
let schedule: typeof mySchedule

const entryNow = ({ event_id, note = null }: Sent): Entry => ({
  entry_id: `entry of ${event_id}`,
  event: event_id === event.event_id ? event : another,
  note,
  updated_at: new Date().toISOString(),
})

function answer(method: string, url: string, body: Sent): Response {
  const path = url.split('?')[0]!
  const account = { feed_url: feed, share_url: server.share_url, today: '2026-06-20', account_id: accountId }
  if (method === 'GET') return Response.json({ entries: server.entries, ...account })
  if (path.endsWith('/feed/rotate')) {
    feed = 'https://example.org/new.ics'
    return Response.json({ feed_url: feed })
  }
  if (refusal) {
    const { status, ...said } = refusal
    refusal = null
    return Response.json(said, { status })
  }
  if (method === 'DELETE') {
    server.entries = server.entries.filter((each) => !path.endsWith(each.event.event_id))
    return new Response(null, { status: 204 })
  }
  sent.push(body)
  const known = server.entries.find((each) => each.event.event_id === body.event_id)
  const entry = { ...(known ?? entryNow(body)), ...(body.note !== undefined && !overruled.includes('note') && body) }
  server.entries = [...server.entries.filter((each) => each !== known), entry]
  return Response.json({ entry, overruled, clashes: [] }, { status: 201 })
}

/** Opens a new page of the browser, with empty memory. */
async function open() {
  vi.resetModules()
  schedule = await import('./my-schedule.ts')
}
const { outbox } = { outbox: async () => (await import('../../kit/browser/outbox.ts')).outbox }
const waiting = () => Object.keys(stored).filter((name) => name.startsWith('outbox:'))
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
const storageOf = (key: string) => window.dispatchEvent(Object.assign(new Event('storage'), { key }))

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-20T18:00:00Z') })
  held = hangs = adds = refusal = null
  asked = []
  sent = []
  overruled = []
  accountId = 'lena'
  feed = null
  loses = false
  page = new EventTarget()
  window = new EventTarget()
  server = { isAway: false, entries: [], share_url: null }
  stored = StoredHere.of({ authToken: 'lena', userType: 'user', myOwner: 'user-lena' }) as typeof stored
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', Object.assign(page, { documentElement: { dataset: {} } }))
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  vi.stubGlobal('localStorage', stored)
  vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body?: string }) => {
    if (server.isAway) throw new TypeError('away')
    asked.push(`${method} ${url}`)
    if (server.isBusy) return Response.json({ error: 'busy', code: 'busy' }, { status: 503 })
    if (method === 'DELETE' && hangs) await hangs
    const answered = answer(method, url, JSON.parse(body ?? '{}') as Sent)
    if (method === 'GET') await held
    if (method === 'POST') await adds
    if (method === 'POST' && loses) throw new TypeError('lost')
    return answered
  })
  await open()
  await schedule.load()
  asked = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('an event added without a network', () => {
  beforeEach(async () => {
    server.isAway = true
    await schedule.add(event)
    expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'local-event-1' }])
    // the network is back, without an event of the browser
    server.isAway = false
  })

  it('is sent with its age since the tap, so that a later removal on another phone wins', async () => {
    pass(90_500)
    await schedule.sendChanges()
    expect(sent).toEqual([{ event_id: event.event_id, seconds_ago: 90 }])
  })

  it('is sent with an age of a year at most, and without one if the clock was set back', async () => {
    pass(400 * 24 * 3_600_000)
    await schedule.sendChanges()
    server.isAway = true
    await schedule.add(another)
    server.isAway = false
    pass(-3_600_000)
    await schedule.sendChanges()
    expect(sent.map(({ seconds_ago }) => seconds_ago)).toEqual([31_536_000, undefined])
  })

  it('gets its real id when it is sent', async () => {
    await schedule.sendChanges()
    expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry of event-1' }])
    expect(waiting()).toEqual([])
  })

  it('can be removed', async () => {
    await schedule.remove(event)
    expect(server.entries).toEqual([])
    expect(schedule.savedEntries()).toEqual([])
  })

  it('can be changed; changes are sent in order of the taps', async () => {
    await schedule.change(event, { note: 'left of the stage' })
    expect(sent).toEqual([{ event_id: event.event_id }, { event_id: event.event_id, note: 'left of the stage' }])
    expect(server.entries).toMatchObject([{ note: 'left of the stage' }])
    expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry of event-1', note: 'left of the stage' }])
  })

  it('is sent under a lock, so that one tab sends at a time', async () => {
    const locked: string[] = []
    vi.stubGlobal('navigator', {
      onLine: true,
      locks: { request: async (name: string, work: () => unknown) => (locked.push(name), work()) },
    })
    await schedule.sendChanges()
    expect(locked).toEqual(['outbox:schedule'])
  })

  it.each([401, 429, 503])('waits after an answer with %d', async (status) => {
    refusal = { status, code: 'busy', error: '' }
    await schedule.sendChanges()
    expect([waiting().length, schedule.isInSchedule(event.event_id)]).toEqual([1, true])
    await schedule.sendChanges()
    expect(server.entries).toHaveLength(1)
  })
})

it('a tap is one request, and the list is not loaded again', async () => {
  await schedule.add(event)
  await schedule.change(event, { note: 'left' })
  await schedule.remove(event)
  expect(asked).toEqual(['POST /api/schedule', 'POST /api/schedule', 'DELETE /api/schedule/events/event-1'])
})

it('an older list that arrives late undoes neither an addition nor a removal', async () => {
  const list = async (meanwhile: () => Promise<unknown>) => {
    const slow = Promise.withResolvers<void>()
    held = slow.promise
    const loading = schedule.load()
    await meanwhile()
    held = null
    slow.resolve()
    await loading
  }
  await list(() => schedule.add(event))
  expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry of event-1' }])
  await list(() => schedule.remove(event))
  expect(schedule.savedEntries()).toEqual([])
})

it('an event whose addition got no answer and that was removed offline is removed on the server too', async () => {
  loses = true
  await schedule.add(event)
  expect(server.entries).toHaveLength(1)
  loses = false
  server.isAway = true
  await schedule.remove(event)
  expect(schedule.savedEntries()).toEqual([])
  server.isAway = false
  await schedule.sendChanges()
  expect(server.entries).toEqual([])
  expect(schedule.savedEntries()).toEqual([])
})

it('a removal of an event that is gone already counts as done', async () => {
  await schedule.add(event)
  refusal = { status: 404, code: 'schedule_entry_not_found', error: 'gone' }
  await schedule.remove(event)
  expect([waiting(), schedule.savedEntries()]).toEqual([[], []])
})

describe('a change that the server refuses or overrules is named until somebody has read it', () => {
  const named = async () =>
    (await outbox())
      .of('schedule')
      .map((each) => [schedule.scheduleIntents.words(each as never), (each.refused as { error: string }).error])

  it('a refused event', async () => {
    refusal = { status: 409, code: 'schedule_full', error: 'A schedule holds 500 events.' }
    await schedule.add(event)
    expect(schedule.savedEntries()).toEqual([])
    expect(await named()).toEqual([
      [{ key: 'named', values: { title: 'Nachtmusik' }, text: null }, 'A schedule holds 500 events.'],
    ])
  })

  it('an event that stays, because another device changed it after the removal here', async () => {
    await schedule.add(event)
    refusal = { status: 409, code: 'schedule_changed_later', error: '' }
    await schedule.remove(event)
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    expect(await named()).toEqual([[{ key: 'stays', values: { title: 'Nachtmusik' } }, '']])
  })

  it('a note that another device changed later, with the text from here; other fields are saved', async () => {
    await schedule.add(event)
    server.entries = [entryNow({ ...event, note: 'theirs' })]
    overruled = ['note']
    await schedule.change(event, { note: 'mine', priority: 'must' })
    expect(schedule.savedEntries()).toMatchObject([{ note: 'theirs' }])
    expect(await named()).toEqual([[{ key: 'later', values: { title: 'Nachtmusik', mine: 'mine' } }, '']])
    expect(await schedule.sendChanges().then(() => sent)).toHaveLength(2)
  })
})

describe('a loaded list', () => {
  const moved = { ...event, starts_at: '2026-06-20T20:30:00Z' }
  const times = () => schedule.savedEntries().map((entry) => entry.event.starts_at)
  const lists = () => asked.filter((each) => each.startsWith('GET')).length
  beforeEach(async () => {
    await schedule.add(event)
    server.entries = [{ ...server.entries[0]!, event: moved }]
    asked = []
  })

  it('is loaded again if it is older than allowed, and shows an event at its new time', async () => {
    pass(4999)
    await schedule.renew(5000)
    await schedule.renew()
    expect([lists(), times()]).toEqual([0, [event.starts_at]])
    pass(1)
    await schedule.renew(5000)
    expect([lists(), times()]).toEqual([1, [moved.starts_at]])
  })

  it('is loaded again on return after some minutes, and when the network is back', async () => {
    const stop = schedule.followSchedule(() => {})
    const comeBack = () => page.dispatchEvent(new Event('visibilitychange'))
    comeBack()
    expect(lists()).toBe(0)
    pass(staleAfterMs)
    comeBack()
    await expect.poll(times).toEqual([moved.starts_at])
    server.entries = []
    pass(staleAfterMs)
    window.dispatchEvent(new Event('online'))
    await expect.poll(times).toEqual([])
    stop()
  })

  it('is loaded again when a push is tapped, and when answers show that the network is back', async () => {
    const worker = new EventTarget()
    vi.stubGlobal('navigator', { onLine: true, serviceWorker: worker })
    const { setConnection } = await import('../../kit/browser/connection.ts')
    const { pushTapMessage } = await import('../../kit/browser/on-return.ts')
    const stop = schedule.followSchedule(() => {})
    worker.dispatchEvent(new MessageEvent('message', { data: pushTapMessage }))
    await expect.poll(times).toEqual([moved.starts_at])
    server.entries = []
    pass(staleAfterMs)
    setConnection({ isOffline: true })
    setConnection({ isOffline: false })
    await expect.poll(times).toEqual([])
    stop()
  })

  it('is replaced by the newer one of another tab, also under what this tab saves next', async () => {
    const stop = schedule.followSchedule(() => {})
    const name = 'myCopy:user-lena:schedule'
    const theirs = JSON.parse(stored.getItem(name)!) as { value: { entries: Entry[] } }
    theirs.value.entries.push({ ...entryNow(another), note: 'theirs' })
    stored.setItem(name, JSON.stringify(theirs))
    storageOf(name)
    expect(schedule.savedEntries()).toMatchObject([{ entry_id: 'entry of event-1' }, { note: 'theirs' }])
    await schedule.change(event, { note: 'mine' })
    expect(new Set(schedule.savedEntries().map(({ note }) => note))).toEqual(new Set(['mine', 'theirs']))
    stop()
  })

  it('of another tab makes an older answer stale, for which this tab waits', async () => {
    const slow = Promise.withResolvers<void>()
    held = slow.promise
    const loading = schedule.load()
    await vi.waitFor(() => expect(lists()).toBe(1), 90_000)
    const name = 'myCopy:user-lena:schedule'
    stored.setItem(name, stored.getItem(name)!.replace('"changes":', '"changes":7'))
    server.entries = []
    held = null
    slow.resolve()
    await loading
    expect([lists(), times()]).toEqual([2, []])
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
    removing = schedule.remove(event)
    await vi.waitFor(() => expect(asked.at(-1)).toMatch(/^DELETE/), 90_000)
    pass(2000)
  })
  const theEvent = { event: { event_id: event.event_id } }

  it('does not delete the event that was added again', async () => {
    const adding = schedule.add(event)
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    fail()
    hangs = null
    await Promise.all([removing, adding])
    await schedule.sendChanges()
    expect(waiting()).toEqual([])
    expect(server.entries).toMatchObject([theEvent])
    expect(schedule.savedEntries()).toMatchObject([theEvent])
  })

  it('does not undo an addition that waits to be sent', async () => {
    // the server got the removal although it failed here
    server = { ...server, isAway: true, entries: [] }
    const adding = schedule.add(event)
    fail()
    await Promise.all([removing, adding])
    server.isAway = false
    hangs = null
    await schedule.sendChanges()
    expect(server.entries).toMatchObject([theEvent])
    expect(schedule.savedEntries()).toMatchObject([theEvent])
  })

  it('counts from the tap, so that later changes of another device stay', async () => {
    pass(2000)
    fail()
    await removing
    hangs = null
    await schedule.sendChanges()
    expect(asked.at(-1)).toBe('DELETE /api/schedule/events/event-1?seconds_ago=4')
  })
})

describe('an event that is tapped again while it is being added', () => {
  let answered: () => void
  let adding: Promise<unknown>
  beforeEach(async () => {
    const slow = Promise.withResolvers<void>()
    adds = slow.promise
    answered = slow.resolve
    adding = schedule.add(event)
    await vi.waitFor(() => expect(asked).toHaveLength(1), 90_000)
  })

  it('is not in the schedule after a second tap', async () => {
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    const removing = schedule.remove(event)
    expect(schedule.isInSchedule(event.event_id)).toBe(false)
    answered()
    await Promise.all([adding, removing])
    expect(server.entries).toEqual([])
    expect(schedule.savedEntries()).toEqual([])
    expect(schedule.isInSchedule(event.event_id)).toBe(false)
  })

  it('is in the schedule after a third tap', async () => {
    const removing = schedule.remove(event)
    const again = schedule.add(event)
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    answered()
    await Promise.all([adding, removing, again])
    expect(server.entries).toHaveLength(1)
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
  })
})

describe('an account', () => {
  const enter = async (name: string) => {
    accountId = name
    const { forgetSession, logIn } = await import('../../accounts/web/session.ts')
    forgetSession()
    logIn({ authToken: name, refreshToken: '', userType: 'user', accountId: name }, 'user')
    await open()
    await schedule.renew()
  }

  it('has its unsent changes sent at its next login, also after another account used the phone', async () => {
    server.isAway = true
    await schedule.add(event)
    server.isAway = false
    await enter('noah')
    expect([schedule.savedEntries(), sent]).toEqual([[], []])
    server.isAway = true
    await schedule.add(another)
    expect(schedule.savedEntries()).toMatchObject([{ event: { event_id: 'event-2' } }])
    const { forgetPerson } = await import('../../accounts/web/session.ts')
    vi.stubGlobal('sessionStorage', StoredHere.of())
    await forgetPerson()
    server.isAway = false
    await enter('lena')
    expect(server.entries).toMatchObject([{ event: { event_id: 'event-1' } }])
    expect(waiting()).toEqual([])
  })

  it('is one of five whose changes wait; those of the account not seen for longest are dropped', async () => {
    server.isAway = true
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await enter(name)
      await schedule.add(event)
      pass(1000)
    }
    await schedule.sendChanges()
    expect(waiting().map((name) => name.split(':')[1])).toEqual(['user-b', 'user-c', 'user-d', 'user-e', 'user-f'])
  })

  it('keeps its changes when a session of version 1.0 learns its id', async () => {
    stored.removeItem('myOwner')
    await open()
    server.isAway = true
    await schedule.add(event)
    const { knowAccount } = await import('../../accounts/web/session.ts')
    knowAccount('lena')
    expect(schedule.isInSchedule(event.event_id)).toBe(true)
    expect(waiting().map((name) => name.split(':')[1])).toEqual(['user-lena'])
  })
})

it('a calendar address made by another device is shown, not replaced', async () => {
  const copy = () => stored.getItem('myCopy:user-lena:schedule')
  feed = 'https://example.org/phone.ics'
  expect(await schedule.startFeed()).toBeNull()
  expect(copy()).toContain('phone.ics')
  feed = null
  expect(await schedule.startFeed()).toBeNull()
  expect(copy()).toContain('new.ics')
})

it('an offline copy shown because the server is busy says its age', async () => {
  const { currentConnection } = await import('../../kit/browser/connection.ts')
  server.isBusy = true
  await schedule.load()
  expect(currentConnection()).toMatchObject({ isOffline: true, asOf: '2026-06-20T18:00:00.000Z' })
})

it('a change made while storage is full is shown and sent, and stored once there is space', async () => {
  Object.assign(stored, { room: 0 })
  server.isAway = true
  await schedule.remove(event)
  await schedule.add(another)
  expect([waiting(), schedule.isInSchedule('event-2')]).toEqual([[], true])
  Object.assign(stored, { room: Infinity })
  await schedule.sendChanges()
  expect(waiting()).toHaveLength(2)
  server.isAway = false
  await schedule.sendChanges()
  expect([waiting(), server.entries.length]).toEqual([[], 1])
})

it('data of version 1.0 is moved once: copy, changes of this account and others, overruled fields', async () => {
  const change = (event_id: string, what: string, more: object = {}) => ({
    event_id,
    what,
    title: `Concert ${event_id}`,
    at: 2000,
    fields: {},
    ...more,
  })
  const lost = { event_id: 'c', title: 'Concert c', why: 'later', field: 'note', text: 'mine' }
  const note = { value: 'left', before: null, at: 1000 }
  stored.removeItem('myOwner')
  stored.removeItem('myCopy:user-lena:schedule')
  stored.setItem(
    'mySchedule',
    JSON.stringify({ schedule: { entries: [], account_id: 'lena' }, asOf: '2026-06-20T17:00:00Z' }),
  )
  const changes = [change('event-1', 'add', { event, fields: { note } }), change('b', 'remove')]
  stored.setItem('unsent.schedule', JSON.stringify({ account_id: 'lena', changes, lost: [lost] }))
  stored.setItem('aside.schedule', JSON.stringify([{ account_id: 'noah', changes: [change('d', 'remove')], lost: [] }]))
  stored.setItem('unsent', '{"schedule":2}')
  server.isAway = true
  await open()
  const all = (await outbox()).all()
  expect(
    all.map(({ owner, subject, data }) => [owner, subject, (data as { what: string }).what].join(' ')).toSorted(),
  ).toEqual([
    'user-lena b remove',
    'user-lena c change',
    'user-lena event-1 add',
    'user-lena event-1 change',
    'user-noah d remove',
  ])
  expect(schedule.savedEntries()).toMatchObject([{ note: 'left', event: { title: 'Nachtmusik' } }])
  expect(schedule.scheduleIntents.words(all.find(({ subject }) => subject === 'c') as never)).toMatchObject({
    key: 'later',
    values: { mine: 'mine' },
  })
  expect(Object.keys(stored).filter((name) => /^(mySchedule|unsent|aside)/.test(name))).toEqual([])
})
