import { expect, it, onTestFinished, vi } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'

const at = Date.parse('2026-06-20T17:36:00Z')
const user = { authToken: 'lena', userType: 'user', myOwner: 'user-lena' }
const saved = (keys: readonly string[], of = 'user') => ({
  'rheinklang-saved': JSON.stringify({ keys, unsent: {}, of }),
})

/** A minimal browser with stored items; loads the modules of a new page. */
function inBrowser(items: Record<string, string>, room?: number) {
  const stored = StoredHere.of(items, room)
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('localStorage', stored)
  vi.stubGlobal('addEventListener', () => {})
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  return stored
}

/** The server: records requests, answers lists, and 204 to all changes. */
function aServer(
  keys: readonly string[],
  more: (asked: string) => Response | Promise<Response> | undefined = () => undefined,
) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`)
    const answer = more(`${method} ${url}`)
    if (answer) return answer
    return method === 'GET' ? Response.json({ keys }) : new Response(null, { status: 204 })
  })
  return asked
}

const waiting = (stored: Storage) => Object.keys(stored).filter((name) => name.startsWith('outbox:'))
const aPage = async () => {
  vi.resetModules()
  return import('./saved.ts')
}

it('a heart tapped while a guest’s picks are merged stays, and is sent', async () => {
  const stored = inBrowser({ ...user, ...saved(['deal:1'], 'guest') })
  const merges = Promise.withResolvers<Response>()
  const asked = aServer(['deal:2', 'deal:3'], (each) => (each.endsWith('/merge') ? merges.promise : undefined))
  const { learnSaved, toggleSaved, savedKeys } = await aPage()
  const isLearned = learnSaved()
  await vi.waitFor(() => expect(asked).toHaveLength(1), 90_000)
  expect(savedKeys()).toEqual(['deal:1'])
  toggleSaved('deal:2')
  toggleSaved('deal:1')
  merges.resolve(Response.json({ keys: ['deal:1', 'deal:3'] }))
  await isLearned
  await vi.waitFor(() => expect(waiting(stored)).toEqual([]), 90_000)
  expect(asked.slice(0, 3)).toEqual([
    'POST /api/favorites/merge',
    'PUT /api/favorites/deal/2',
    'DELETE /api/favorites/deal/1',
  ])
  await vi.waitFor(() => expect(savedKeys()).toEqual(['deal:2', 'deal:3']), 90_000)
})

it.each([
  ['a removal', ['deal:1'], 'DELETE'],
  ['an addition', [], 'PUT'],
])('%s without a network says how long ago it was, once it can be sent', async (_, keys, method) => {
  const stored = inBrowser({ ...user, ...saved(keys) })
  let isOnline = false
  const asked = aServer(['deal:2'], () => (isOnline ? undefined : Promise.reject(new TypeError('offline'))))
  const before = await aPage()
  await before.learnSaved()
  before.toggleSaved('deal:1')
  await before.learnSaved()
  expect(before.savedKeys().includes('deal:1')).toBe(method === 'PUT')
  // the page was closed in between
  vi.setSystemTime(at + 90_500)
  isOnline = true
  asked.length = 0
  const { learnSaved, savedKeys } = await aPage()
  await learnSaved()
  expect(asked[0]).toBe(`${method} /api/favorites/deal/1?seconds_ago=90`)
  expect([waiting(stored), savedKeys()]).toEqual([[], ['deal:2']])
})

it.each([
  ['is answered late', () => new Response(null, { status: 204 })],
  ['is given up', () => Promise.reject(new TypeError('timeout'))],
])('a heart tapped on and off while the first tap %s stays empty', async (_, end) => {
  inBrowser({ ...user, ...saved([]) })
  const stalls = Promise.withResolvers<void>()
  let puts = 0
  const asked = aServer([], (each) => (each.startsWith('PUT') && puts++ === 0 ? stalls.promise.then(end) : undefined))
  const { learnSaved, toggleSaved, savedKeys, sendSaved } = await aPage()
  await learnSaved()
  toggleSaved('deal:1')
  await vi.waitFor(() => expect(asked).toContain('PUT /api/favorites/deal/1'), 90_000)
  vi.setSystemTime(at + 1000)
  toggleSaved('deal:1')
  expect(savedKeys()).toEqual([])
  // the server may have saved it at any time until then
  vi.setSystemTime(at + 15_000)
  stalls.resolve()
  await sendSaved()
  const removal = () => asked.find((each) => each.startsWith('DELETE'))
  await vi.waitFor(() => expect(removal()).toBe('DELETE /api/favorites/deal/1'), 90_000)
  expect(savedKeys()).toEqual([])
})

it('an offline addition whose session ends by itself is shown to the guest, and sent with its age at the next login', async () => {
  const unsent = { 'deal:1': 'add', 'deal:3': 'remove' }
  const old = { keys: ['deal:1', 'deal:2'], unsent, tappedAt: { 'deal:1': at }, of: 'user' }
  const stored = inBrowser({ 'rheinklang-saved': JSON.stringify(old) })
  vi.setSystemTime(at + 90_500)
  let isBusy = false
  const asked = aServer(['deal:2'], (each) => {
    if (isBusy) return Response.json({ error: 'Busy.' }, { status: 503 })
    // another phone has removed it since
    return each.startsWith('GET') ? undefined : Response.json({ error: 'Removed.', code: 'gone' }, { status: 409 })
  })
  const asGuest = await aPage()
  await asGuest.learnSaved()
  expect([asGuest.savedKeys(), asGuest.unsentSaved(), asked]).toEqual([['deal:1'], 0, []])
  // the account may have had it for long, and keeps it
  expect([asGuest.toggleSaved('deal:2'), asGuest.toggleSaved('deal:2')]).toEqual([true, true])
  Object.assign(stored, user)
  isBusy = true
  const { learnSaved, unsentSaved, sendSaved, savedKeys } = await aPage()
  await learnSaved()
  expect([asked.splice(0), unsentSaved()]).toEqual([['PUT /api/favorites/deal/1?seconds_ago=90'], 1])
  isBusy = false
  await sendSaved()
  expect(asked).toEqual(['PUT /api/favorites/deal/1?seconds_ago=90', 'GET /api/favorites/keys'])
  expect([savedKeys(), unsentSaved()]).toEqual([['deal:2'], 0])
})

it('an addition that a guest removes after the session ended by itself is not sent at all', async () => {
  const old = { keys: ['deal:1'], unsent: { 'deal:1': 'add' }, of: 'user' }
  const stored = inBrowser({ 'rheinklang-saved': JSON.stringify(old) })
  const asked = aServer(['deal:1'])
  const asGuest = await aPage()
  await asGuest.learnSaved()
  asGuest.toggleSaved('deal:1')
  expect(asGuest.savedKeys()).toEqual([])
  Object.assign(stored, user)
  const { learnSaved, savedKeys } = await aPage()
  await learnSaved()
  expect([asked, savedKeys()]).toEqual([['GET /api/favorites/keys'], ['deal:1']])
})

it('a refused addition leaves the list and is named until somebody has read it; a refused removal does not come back', async () => {
  const stored = inBrowser({ ...user, ...saved(['deal:2']) })
  aServer(['deal:2'], (each) =>
    each.startsWith('GET') ? undefined : Response.json({ error: 'No longer there.', code: 'x' }, { status: 404 }),
  )
  const { favoriteIntents, learnSaved, savedKeys, toggleSaved, unsentSaved } = await aPage()
  const { outbox } = await import('../../kit/browser/outbox.ts')
  await learnSaved()
  toggleSaved('deal:1', 'Coffee')
  expect(savedKeys()).toEqual(['deal:1', 'deal:2'])
  await learnSaved()
  expect([savedKeys(), unsentSaved()]).toEqual([['deal:2'], 0])
  const refused = outbox.of(favoriteIntents.name)
  expect(refused).toMatchObject([{ data: { name: 'Coffee' }, refused: { error: 'No longer there.' } }])
  // also on the next page
  expect(waiting(stored)).toHaveLength(1)
  outbox.remove(refused)
  expect(waiting(stored)).toEqual([])

  toggleSaved('deal:2', 'Tea')
  expect(savedKeys()).toEqual([])
  await vi.waitFor(() => expect(waiting(stored)).toEqual([]), 90_000)
})

it.each([0, 401, 429, 503])(
  'a change that is answered with %d waits; it is sent again under the same owner',
  async (status) => {
    const stored = inBrowser({ ...user, ...saved([]) })
    let isRefused = true
    const asked = aServer([], (each) => {
      if (!isRefused || each.startsWith('GET')) return undefined
      return status === 0 ? Promise.reject(new TypeError('offline')) : Response.json({ error: 'No.' }, { status })
    })
    const { learnSaved, savedKeys, sendSaved, toggleSaved, unsentSaved } = await aPage()
    await learnSaved()
    toggleSaved('deal:1')
    await learnSaved()
    expect([savedKeys(), unsentSaved()]).toEqual([['deal:1'], 1])
    isRefused = false
    asked.length = 0
    await sendSaved()
    expect(asked[0]).toMatch(/^PUT/)
    expect(waiting(stored)).toEqual([])
  },
)

it('two tabs that save at the same time do not overwrite each other’s favorites', async () => {
  const stored = inBrowser({ ...user, ...saved([]) })
  aServer([], () => Promise.reject(new TypeError('offline')))
  const [one, other] = [await aPage(), await aPage()]
  for (const each of [one, other]) await each.learnSaved()
  one.toggleSaved('deal:1')
  other.toggleSaved('deal:2')
  one.toggleSaved('deal:3')
  for (const each of [one, other]) await each.learnSaved()
  const { learnSaved, savedKeys } = await aPage()
  await learnSaved()
  expect(savedKeys().toSorted()).toEqual(['deal:1', 'deal:2', 'deal:3'])
  expect(waiting(stored)).toHaveLength(3)
})

it('a heart tapped while storage is full is shown and sent', async () => {
  const items = { ...user, ...saved(['deal:9']) }
  const stored = inBrowser(items, JSON.stringify(items).length)
  let keys = ['deal:9']
  const asked = aServer([], (each) => (each.startsWith('GET') ? Response.json({ keys }) : undefined))
  const { learnSaved, savedKeys, toggleSaved } = await aPage()
  await learnSaved()
  Object.assign(stored, { room: 0 })
  toggleSaved('deal:1')
  expect(savedKeys()).toEqual(['deal:1', 'deal:9'])
  keys = ['deal:1', 'deal:9']
  await learnSaved()
  expect(asked).toContain('PUT /api/favorites/deal/1')
  expect(savedKeys()).toEqual(['deal:1', 'deal:9'])
})

it('changes of one account are never sent under another that logs in after it', async () => {
  const stored = inBrowser({ ...user, ...saved(['deal:1']) })
  const asked = aServer([], () => Promise.reject(new TypeError('offline')))
  const before = await aPage()
  await before.learnSaved()
  before.toggleSaved('deal:1')
  await before.learnSaved()
  const { logIn } = await import('../../accounts/web/session.ts')
  logIn({ authToken: 'tom', refreshToken: '', userType: 'user', accountId: 'tom' }, 'user')
  asked.length = 0
  const next = await aPage()
  await next.learnSaved()
  expect(asked.filter((each) => !each.startsWith('GET'))).toEqual([])
  expect([next.savedKeys(), waiting(stored)]).toEqual([[], []])
})

it('a logout leaves nothing here, also in other tabs; a guest’s earlier favorites stay', async () => {
  const stored = inBrowser({ ...user, ...saved(['deal:1']) })
  aServer([], () => Promise.reject(new TypeError('offline')))
  vi.stubGlobal('sessionStorage', StoredHere.of())
  const { learnSaved, savedKeys, toggleSaved } = await aPage()
  await learnSaved()
  toggleSaved('deal:2')
  await learnSaved()
  const { forgetPerson } = await import('../../accounts/web/session.ts')
  await forgetPerson()
  expect([savedKeys(), Object.keys(stored)]).toEqual([[], []])
})

it('beyond 500 favorites another one is refused at once and not sent, until one is removed', async () => {
  const keys = Array.from({ length: 500 }, (_, n) => `deal:${n}`)
  inBrowser(saved(keys, 'guest'))
  const { learnSaved, savedKeys, toggleSaved } = await aPage()
  await learnSaved()
  expect(toggleSaved('deal:new')).toBe(false)
  expect(savedKeys()).toEqual(keys)
  expect([toggleSaved('deal:7'), toggleSaved('deal:new')]).toEqual([true, true])
  expect(savedKeys()).toHaveLength(500)
})
