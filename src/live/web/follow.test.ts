import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials, type Renewal } from '../../kit/browser/credentials.ts'
import { follow } from './follow.ts'

let token: string | null = null
let renewal: Renewal = 'none'
/** One line for each stream that was requested: whose it is, and its channels. */
let asked: string[] = []
let standing: AbortSignal[] = []
const ends: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {}, removeEventListener: () => {} })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: RequestInit) => {
    const bearer = (headers as { authorization?: string }).authorization ?? 'guest'
    asked.push(`${bearer} ${url}`)
    // a dead token is refused, or counts as none
    if (bearer.endsWith('other-dead')) return new Response('', { status: 401 })
    const dead = bearer.endsWith('dead') ? { 'www-authenticate': 'Bearer error="invalid_token"' } : undefined
    if (!dead) standing.push(signal!)
    const body = new ReadableStream({
      start: (stream) => signal!.addEventListener('abort', () => stream.error(signal!.reason)),
    })
    return new Response(body, dead && { headers: dead })
  })
  setCredentials({ token: () => token, renew: async () => renewal, end: () => {} })
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await vi.advanceTimersByTimeAsync(0)
  setCredentials({ token: () => null, renew: async () => 'none', end: () => {} })
  vi.unstubAllGlobals()
  vi.useRealTimers()
  ;[asked, standing, token] = [[], [], null]
})

async function followed(...channels: string[]) {
  ends.push(follow(channels, { changed: () => {} }))
  await vi.advanceTimersByTimeAsync(0)
}

it('when a session has ended, public channels go on', async () => {
  ;[token, renewal] = ['dead', 'ended']
  await followed('urgent')
  expect(asked).toEqual(['Bearer dead /api/stream?channels=urgent', 'guest /api/stream?channels=urgent'])
  expect(standing.map(({ aborted }) => aborted)).toEqual([false])
})

it('a renewal without an answer is retried', async () => {
  ;[token, renewal] = ['other-dead', 'unreachable']
  await followed('urgent')
  expect(asked).toEqual(['Bearer other-dead /api/stream?channels=urgent'])
  token = 'renewed'
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked.slice(1)).toEqual(['Bearer renewed /api/stream?channels=urgent'])
})

it('a login opens a stream of one’s own, and a renewed token keeps it', async () => {
  await followed('urgent')
  token = 'lena'
  await followed()
  expect(asked).toEqual(['guest /api/stream?channels=urgent', 'Bearer lena /api/stream?channels=urgent'])
  expect(standing.map(({ aborted }) => aborted)).toEqual([true, false])
  token = 'renewed'
  await followed()
  expect(asked).toHaveLength(2)
})
