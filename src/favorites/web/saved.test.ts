import { expect, it, onTestFinished, vi } from 'vitest'

/** As much of a browser as is needed, with what it has stored. */
function inBrowser(stored: Map<string, string>) {
  vi.stubGlobal('document', {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
}

it('a heart tapped while a guest’s picks come along to the account stays, and is sent', async () => {
  const stored = new Map([
    ['authToken', 'lena'],
    ['userType', 'user'],
    ['rheinklang-saved', JSON.stringify({ keys: ['deal:1'], unsent: { 'deal:1': 'add' }, of: 'guest' })],
  ])
  const merges = Promise.withResolvers<Response>()
  const asked: string[] = []
  inBrowser(stored)
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`)
    if (url.endsWith('/merge')) return merges.promise
    return method === 'GET' ? Response.json({ keys: ['deal:2', 'deal:3'] }) : new Response(null, { status: 204 })
  })
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { learnSaved, toggleSaved } = await import('./saved.ts')
  const saved = () => JSON.parse(stored.get('rheinklang-saved')!) as { keys: string[]; unsent: object }
  const isLearned = learnSaved()
  await vi.waitFor(() => expect(asked).toHaveLength(1), 90_000)
  toggleSaved('deal:2')
  toggleSaved('deal:1')
  merges.resolve(Response.json({ keys: ['deal:1', 'deal:3'] }))
  await isLearned
  expect(saved()).toMatchObject({ keys: ['deal:2', 'deal:3'], unsent: { 'deal:1': 'remove', 'deal:2': 'add' } })
  await vi.waitFor(() => expect(saved().unsent).toEqual({}), 90_000)
  expect(asked).toEqual(expect.arrayContaining(['DELETE /api/favorites/deal/1', 'PUT /api/favorites/deal/2']))
})

it.each([
  ['a removal', ['deal:1'], 'DELETE'],
  ['an addition', [], 'PUT'],
])('%s without a network says how long ago it was, once it can be sent', async (_, keys, method) => {
  const at = Date.parse('2026-06-20T17:36:00Z')
  const stored = new Map([
    ['authToken', 'lena'],
    ['userType', 'user'],
    ['rheinklang-saved', JSON.stringify({ keys, unsent: {}, of: 'user' })],
  ])
  const asked: string[] = []
  let isOnline = false
  inBrowser(stored)
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (!isOnline) throw new TypeError('offline')
    asked.push(`${method} ${url}`)
    return method === 'GET' ? Response.json({ keys: ['deal:2'] }) : new Response(null, { status: 204 })
  })
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const before = await import('./saved.ts')
  before.toggleSaved('deal:1')
  await before.learnSaved()
  // the page was closed meanwhile
  vi.resetModules()
  vi.setSystemTime(at + 90_500)
  isOnline = true
  const { learnSaved } = await import('./saved.ts')
  await learnSaved()
  await vi.waitFor(() => expect(asked[0]).toBe(`${method} /api/favorites/deal/1?seconds_ago=90`), 90_000)
  expect(JSON.parse(stored.get('rheinklang-saved')!)).toEqual({ keys: ['deal:2'], unsent: {}, of: 'user' })
})

it.each([
  ['is answered late', () => new Response(null, { status: 204 })],
  ['is given up', () => Promise.reject(new TypeError('timeout'))],
])('a heart tapped on and off while the first tap %s stays empty', async (_, end) => {
  const at = Date.parse('2026-06-20T17:36:00Z')
  const stored = new Map([
    ['authToken', 'lena'],
    ['userType', 'user'],
    ['rheinklang-saved', JSON.stringify({ keys: [], unsent: {}, of: 'user' })],
  ])
  const asked: string[] = []
  const stalls = Promise.withResolvers<void>()
  inBrowser(stored)
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`)
    if (method === 'PUT') return stalls.promise.then(end)
    return method === 'GET' ? Response.json({ keys: [] }) : new Response(null, { status: 204 })
  })
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { toggleSaved } = await import('./saved.ts')
  toggleSaved('deal:1')
  await vi.waitFor(() => expect(asked).toEqual(['PUT /api/favorites/deal/1']), 90_000)
  toggleSaved('deal:1')
  // the server may have saved it at any moment until then
  vi.setSystemTime(at + 15_000)
  stalls.resolve()
  const removal = () => asked.find((each) => each.startsWith('DELETE'))
  await vi.waitFor(() => expect(removal()).toBe('DELETE /api/favorites/deal/1'), 90_000)
})

it('an addition without a network whose session ends by itself is a guest’s, and keeps its age until the next login', async () => {
  const at = Date.parse('2026-06-20T17:36:00Z')
  const kept = {
    keys: ['deal:1', 'deal:2'],
    unsent: { 'deal:1': 'add', 'deal:3': 'remove' },
    tappedAt: { 'deal:1': at },
  }
  let isBusy = false
  const stored = new Map([['rheinklang-saved', JSON.stringify({ ...kept, of: 'user' })]])
  const asked: string[] = []
  inBrowser(stored)
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`)
    if (isBusy) return Response.json({ error: 'Busy.' }, { status: 503 })
    // another phone removed it since
    return method === 'GET'
      ? Response.json({ keys: ['deal:2'] })
      : Response.json({ error: 'Removed.' }, { status: 409 })
  })
  vi.useFakeTimers({ toFake: ['Date'], now: at + 90_500 })
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const asGuest = await import('./saved.ts')
  await asGuest.learnSaved()
  expect([asGuest.savedKeys(), asGuest.unsentSaved(), asked]).toEqual([['deal:1'], 0, []])
  // the account may have it for long, and keeps it
  expect([asGuest.toggleSaved('deal:2'), asGuest.toggleSaved('deal:2')]).toEqual([true, true])
  vi.resetModules()
  stored.set('authToken', 'lena').set('userType', 'user')
  isBusy = true
  const { learnSaved, unsentSaved, sendSaved } = await import('./saved.ts')
  await learnSaved()
  expect([asked.splice(0), unsentSaved()]).toEqual([['PUT /api/favorites/deal/1?seconds_ago=90'], 1])
  isBusy = false
  await sendSaved()
  expect(asked).toEqual(['PUT /api/favorites/deal/1?seconds_ago=90', 'GET /api/favorites/keys'])
  expect(JSON.parse(stored.get('rheinklang-saved')!)).toEqual({ keys: ['deal:2'], unsent: {}, of: 'user' })
})

it('with 500 saved another one is refused at once and not sent, until one is removed', async () => {
  const keys = Array.from({ length: 500 }, (_, n) => `deal:${n}`)
  const stored = new Map([['rheinklang-saved', JSON.stringify({ keys, unsent: {}, of: 'guest' })]])
  inBrowser(stored)
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { savedKeys, toggleSaved } = await import('./saved.ts')
  expect(toggleSaved('deal:new')).toBe(false)
  expect([savedKeys(), JSON.parse(stored.get('rheinklang-saved')!)]).toMatchObject([keys, { unsent: {} }])
  expect([toggleSaved('deal:7'), toggleSaved('deal:new')]).toEqual([true, true])
  expect(savedKeys()).toHaveLength(500)
})
