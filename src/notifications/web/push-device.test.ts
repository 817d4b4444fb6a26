import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { logInAgain } from '../../accounts/web/another-session.ts'
import { endSession, forgetPerson, logIn } from '../../accounts/web/session.ts'
import { sessionCredentials } from '../../accounts/web/session-credentials.ts'
import { setCredentials } from '../../kit/browser/credentials.ts'
import { followPushes } from './follow-pushes.ts'
import { pushState } from './push-device.ts'

/** Like a browser's storage, whose keys are its own properties. */
let storage: Record<string, unknown>
/** Whether the browser has a push subscription. */
let isSubscribed: boolean
/** Authorization headers of the registrations that reached the server. */
let registered: string[]
let window: EventTarget

const subscription = {
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: async () => !(isSubscribed = false),
}
const pushManager = { getSubscription: async () => (isSubscribed ? subscription : null) }

setCredentials(sessionCredentials)

beforeEach(() => {
  isSubscribed = true
  registered = []
  storage = Object.create({
    getItem: (key: string) => (storage[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => (storage[key] = value),
    removeItem: (key: string) => delete storage[key],
  }) as Record<string, unknown>
  window = new EventTarget()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('window', { PushManager: {}, Notification: {} })
  vi.stubGlobal('Notification', { permission: 'granted' })
  vi.stubGlobal('caches', { keys: async () => [] })
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  const registration = { active: {}, pushManager }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const token = headers['authorization'] ?? ''
    if (url === '/api/me') return Response.json({ account_id: token.replace(/Bearer (\w+).*/, '$1') })
    registered.push(token)
    return new Response(null, { status: 204 })
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Logs in the account with this name. */
const enter = (name: string, session = 1) => logIn(pairOf(name, session), 'user')
const pairOf = (name: string, session: number) => ({
  authToken: `${name}-${session}`,
  refreshToken: '',
  userType: null,
})

describe('a browser without pushes', () => {
  const iPhone = (version: string) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15`
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6'

  it.each([
    ['an iPhone before the site is on its home screen', iPhone('16_4'), 5, false, 'notAdded'],
    ['an iPad that calls itself a Mac', mac, 5, false, 'notAdded'],
    ['an iPhone whose iOS is too old', iPhone('16_3_1'), 5, false, 'outdated'],
    ['an iPhone of years ago', iPhone('9_3'), 5, true, 'outdated'],
    ['an iPhone that gives none to the home screen either', iPhone('18_7'), 5, true, 'none'],
    ['a Mac', mac, 0, false, 'none'],
    ['an Android phone', 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36', 5, false, 'none'],
  ])('says of %s what is missing', async (_, userAgent, maxTouchPoints, isOnHomeScreen, state) => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('navigator', { userAgent, maxTouchPoints, serviceWorker: {} })
    vi.stubGlobal('matchMedia', () => ({ matches: isOnHomeScreen }))
    expect(await pushState()).toBe(state)
  })
})

describe('pushes of this browser, after a session that ended by itself', () => {
  let stop: () => void
  beforeEach(async () => {
    enter('lena')
    expect(await pushState()).toBe('on')
    registered = []
    endSession()
    stop = followPushes()
  })
  afterEach(() => stop())

  it('are on again with the next login of the same person, who is asked for nothing', async () => {
    enter('lena', 2)
    await expect.poll(() => registered).toEqual(['Bearer lena-2'])
    // Once per session.
    await expect.poll(() => storage['mySessionPush']).toBe('yes')
    window.dispatchEvent(new Event('focus'))
    expect(registered).toHaveLength(1)
    registered = []
    logInAgain(pairOf('lena', 3), 'user')
    await expect.poll(() => registered).toEqual(['Bearer lena-3'])
  })

  it('are not handed to another person', async () => {
    enter('noah')
    await expect.poll(() => isSubscribed).toBe(false)
    expect(await pushState()).toBe('off')
    expect(registered).toEqual([])
  })

  it('are over with a logout', async () => {
    enter('lena', 2)
    await expect.poll(() => registered).toHaveLength(1)
    await forgetPerson()
    expect(isSubscribed).toBe(false)
    expect(storage).toEqual({})
  })
})
