import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentSession, forgetSession, storeInSession, logIn, logOut, storedInSession } from './session.ts'

let stored: Map<string, string>
const assign = vi.fn()

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('location', { assign })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  assign.mockClear()
})

it('without a token everybody is a guest, whatever else is stored', () => {
  stored.set('userType', 'business')
  expect(currentSession()).toBe('guest')
})

it('an empty text is no token and no id', () => {
  for (const key of ['authToken', 'refreshToken', 'userType', 'businessId']) stored.set(key, '')
  expect(currentSession()).toBe('guest')
  stored.set('authToken', 'x')
  expect(currentSession()).toBe('user')
  expect(storedInSession('businessId')).toBeNull()
})

it('any text counts as a token; the user type tells a business from everybody else', () => {
  stored.set('authToken', 'not.a.jwt')
  expect(currentSession()).toBe('user')
  storeInSession({ userType: 'business', businessId: '7' })
  expect(currentSession()).toBe('business')
  expect(storedInSession('businessId')).toBe('7')
  storeInSession({ userType: 'visitor' })
  expect(currentSession()).toBe('user')
})

it('logging out removes the four keys, nothing else, tells the server and returns to /', async () => {
  for (const key of ['authToken', 'refreshToken', 'userType', 'businessId', 'draft']) stored.set(key, 'x')
  const request = vi.fn(async (_url: string, _init: RequestInit) => new Response(null, { status: 204 }))
  vi.stubGlobal('fetch', request)
  const done = logOut()
  expect([...stored.keys()]).toEqual(['draft'])
  await done
  const [url, init] = request.mock.calls[0]!
  expect(url).toBe('/api/auth/logout')
  expect(init).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer x' }, body: '{"refreshToken":"x"}' })
  expect(assign).toHaveBeenCalledExactlyOnceWith('/')
})

it('a logout works while the server cannot be reached', async () => {
  stored.set('authToken', 'x')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  await logOut()
  expect(stored.size).toBe(0)
  expect(assign).toHaveBeenCalledExactlyOnceWith('/')
})

it('a login without a type has the kind of its form', () => {
  logIn({ authToken: 'a', refreshToken: 'r', userType: null, businessId: '7' }, 'business')
  expect(Object.fromEntries(stored)).toEqual({
    authToken: 'a',
    refreshToken: 'r',
    userType: 'business',
    businessId: '7',
  })
  logIn({ authToken: 'b', refreshToken: '', userType: '' }, 'user')
  expect(Object.fromEntries(stored)).toEqual({ authToken: 'b', userType: 'user' })
})

it('a new login and the end of a session delete data of rooms, and nothing else', () => {
  // Like a browser's storage, whose keys are its own properties.
  const storage = Object.create({
    getItem: (key: string) => (storage[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => (storage[key] = value),
    removeItem: (key: string) => delete storage[key],
  }) as Record<string, unknown>
  vi.stubGlobal('localStorage', storage)
  const others = { mystery: 'x', favorites: 'x' }
  for (const leave of [() => logIn({ authToken: 'b', refreshToken: '', userType: null }, 'user'), forgetSession]) {
    Object.assign(storage, others)
    storeInSession({ myCodes: 'x', myLanterns: 'x' })
    leave()
    expect(Object.keys(storage).filter((key) => key.startsWith('my'))).toEqual(['mystery'])
    expect(storage).toMatchObject(others)
  }
  // Of the same account, as after a new password.
  storeInSession({ myCodes: 'x' })
  logIn({ authToken: 'c', refreshToken: '', userType: null }, 'user', false)
  expect(storage).toMatchObject({ authToken: 'c', myCodes: 'x' })
})

it('a browser that blocks its storage has a guest', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(currentSession()).toBe('guest')
  expect(storeInSession({ authToken: 'x' })).toBe(false)
})

it.each(['null', '7', '"x"', 'not JSON'])(
  'whatever lies under the name of unsent changes (%s), logging out works',
  async (value) => {
    stored.set('authToken', 'x')
    stored.set('unsent', value)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    await logOut()
    expect(assign).toHaveBeenCalledExactlyOnceWith('/')
  },
)
