import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { setCredentials } from '../../kit/browser/credentials.ts'
import type { AnyEndpoint } from '../../kit/shared/endpoint.ts'
import { sessionCredentials } from './session-credentials.ts'
import { onSessionEnd } from './session.ts'

let stored: Map<string, string>
const ended = vi.fn()
const sent: { url: string; authorization: string | undefined }[] = []
/** Valid access tokens, and the pairs that refresh tokens get. */
let living: Set<string>
let buys: Map<string, { authToken: string; refreshToken: string }>
let refreshes: number
let refreshStatus: number

beforeEach(() => {
  stored = new Map([
    ['authToken', 'old'],
    ['refreshToken', 'r1'],
    ['userType', 'business'],
    ['businessId', '7'],
  ])
  living = new Set(['new'])
  buys = new Map([['r1', { authToken: 'new', refreshToken: 'r2' }]])
  refreshes = 0
  refreshStatus = 401
  sent.length = 0
  ended.mockClear()
  setCredentials(sessionCredentials)
  onSessionEnd(ended)
  vi.stubGlobal('location', { origin: 'http://deals.example' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  // Without Web Locks, as on plain http.
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url === '/api/auth/refresh') {
      refreshes++
      const { refreshToken } = JSON.parse(String(init.body)) as { refreshToken: string }
      const pair = buys.get(refreshToken)
      buys.delete(refreshToken)
      return pair ? Response.json(pair) : Response.json({ error: 'No.', code: 'x' }, { status: refreshStatus })
    }
    const authorization = (init.headers as Record<string, string>)['authorization']
    sent.push({ url, authorization })
    return living.has(authorization?.replace('Bearer ', '') ?? '')
      ? Response.json({ ok: true })
      : Response.json({ error: 'Please log in.', code: 'unauthenticated' }, { status: 401 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const call = (as?: 'action' | 'background') => callByFetch<AnyEndpoint>('GET /api/thing', { as } as never)
const status = async (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: { answer: { status: number } }) => error.answer.status,
  )

/** A public endpoint of the API: it ignores an invalid token and says so in the answer. */
function answersEverybody(status = 200) {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init)
    if (url === '/api/auth/refresh' || answer.ok) return answer
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
    return Response.json({ ok: 'for everybody' }, { status, headers })
  })
}

it.each([200, 404])('what everybody may read (%d) is asked again with a renewed token', async (answered) => {
  answersEverybody(answered)
  expect((await callByFetch<AnyEndpoint>('GET /api/thing', { as: 'background' } as never)).body).toEqual({ ok: true })
  expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new'])
  expect(ended).not.toHaveBeenCalled()
})

it('a call with an expired session does not use an answer meant for guests', async () => {
  answersEverybody()
  buys.clear()
  expect(await status(call('background'))).toBe(401)
  expect(ended).not.toHaveBeenCalled()
})

it('a call as guest sends no token, also while somebody is logged in', async () => {
  expect(await status(call())).toBe(401)
  expect(sent).toEqual([{ url: '/api/thing', authorization: undefined }])
  expect(refreshes).toBe(0)
})

it('an expired token is renewed silently, once for all calls that need it', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, () => status(call('background'))))).toEqual(Array(20).fill(200))
  expect(refreshes).toBe(1)
  expect(stored.get('authToken')).toBe('new')
  expect(stored.get('refreshToken')).toBe('r2')
  expect(ended).not.toHaveBeenCalled()
})

it('a tab that comes late uses the token that another tab has fetched', async () => {
  stored.set('rheinklang-refresh', `other ${Date.now() + 60_000}`)
  const late = status(call('action'))
  await vi.waitFor(() => expect(sent).toHaveLength(1), 90_000)
  stored.set('authToken', 'new')
  stored.delete('rheinklang-refresh')
  expect(await late).toBe(200)
  expect(refreshes).toBe(0)
})

it('an action ends the session if its refresh is refused too', async () => {
  buys.clear()
  expect(await status(call('action'))).toBe(401)
  expect(stored.size).toBe(0)
  expect(ended).toHaveBeenCalledExactlyOnceWith('business')
})

it('a refused call in the background never ends the session', async () => {
  buys.clear()
  expect(await status(call('background'))).toBe(401)
  expect(stored.get('authToken')).toBe('old')
  expect(ended).not.toHaveBeenCalled()
})

it('a server that is restarting or cannot be reached does not end the session', async () => {
  buys.clear()
  refreshStatus = 503
  expect(await status(call('action'))).toBe(0)
  expect(stored.get('refreshToken')).toBe('r1')
  expect(ended).not.toHaveBeenCalled()
})

it('without a refresh token the refusal is passed on and storage stays as it is', async () => {
  stored.delete('refreshToken')
  expect(await status(call('action'))).toBe(401)
  expect(stored.get('authToken')).toBe('old')
  expect(ended).not.toHaveBeenCalled()
})

it('an answer that comes after a logout does not log in again', async () => {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init)
    if (url === '/api/auth/refresh') stored.clear()
    return answer
  })
  expect(await status(call('background'))).toBe(401)
  expect(stored.size).toBe(0)
})

it('a token that no header can carry still counts as a session here, and the server refuses it', async () => {
  stored.set('authToken', 'two words\n')
  stored.delete('refreshToken')
  expect(await status(call('background'))).toBe(401)
  expect(sent[0]!.authorization).toBeUndefined()
})
