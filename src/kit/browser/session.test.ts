import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentSession, keepInSession, logOut, storedInSession } from './session.ts'

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

it('any text is a token; the user type tells a business from everybody else', () => {
  stored.set('authToken', 'not.a.jwt')
  expect(currentSession()).toBe('user')
  keepInSession({ userType: 'business', businessId: '7' })
  expect(currentSession()).toBe('business')
  expect(storedInSession('businessId')).toBe('7')
  keepInSession({ userType: 'visitor' })
  expect(currentSession()).toBe('user')
})

it('logging out removes the four keys, nothing else, and returns to /', () => {
  for (const key of ['authToken', 'refreshToken', 'userType', 'businessId', 'draft']) stored.set(key, 'x')
  logOut()
  expect([...stored.keys()]).toEqual(['draft'])
  expect(assign).toHaveBeenCalledExactlyOnceWith('/')
})

it('a browser that keeps its storage shut has a guest', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(currentSession()).toBe('guest')
  expect(keepInSession({ authToken: 'x' })).toBe(false)
})
