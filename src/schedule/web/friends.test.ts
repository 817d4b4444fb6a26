import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as Friends from './friends.ts'

const shared = (owner: string, ...events: string[]) => ({
  owner,
  entries: events.map((event_id) => ({ event: { event_id } })),
})
let answers: Record<string, { status: number; body: unknown }>
let asked: string[]
let friends: typeof Friends

beforeEach(async () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('document', { cookie: '', addEventListener() {}, documentElement: { dataset: {} } })
  vi.stubGlobal('addEventListener', () => {})
  answers = {}
  asked = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const answer = answers[path]
    if (!answer) throw new TypeError('no network')
    return Response.json(answer.body, { status: answer.status })
  })
  vi.useFakeTimers({ now: Date.parse('2026-06-20T17:30:00Z'), toFake: ['Date'] })
  vi.resetModules()
  friends = await import('./friends.ts')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const shown = () => friends.friendsHere().map(({ name, events }) => `${name}: ${events.join()}`)
const later = () => vi.setSystemTime(Date.now() + 10 * 60_000)

it('a friend of a shared link is on my timetable until I remove the friend, and nothing is sent', () => {
  expect(friends.addFriend('t1', shared('Lena', 'a', 'b'))).toBe(true)
  expect(friends.addFriend('t2', shared('Tom', 'b'))).toBe(true)
  expect(shown()).toEqual(['Lena: a,b', 'Tom: b'])
  expect(friends.friendsHere()).toBe(friends.friendsHere())
  friends.removeFriend('t1')
  expect(shown()).toEqual(['Tom: b'])
  expect(asked).toEqual([])
})

it('there are at most eight friends', () => {
  for (let n = 1; n <= friends.friendsMost; n++) expect(friends.addFriend(`t${n}`, shared(`Friend ${n}`))).toBe(true)
  expect(friends.addFriend('t9', shared('Noah'))).toBe(false)
  expect(shown()).toHaveLength(8)
})

it('schedules of friends are loaded again from their links when they are stale; a link that was taken back leaves', async () => {
  friends.addFriend('t1', shared('Lena', 'a'))
  friends.addFriend('t2', shared('Tom', 'b'))
  expect(await friends.refreshFriends()).toEqual([])
  expect(asked).toEqual([])
  later()
  answers['/api/shared/t1'] = { status: 200, body: { owner: 'Lena K.', entries: [] } }
  answers['/api/shared/t2'] = { status: 404, body: { error: 'Not shared.', code: 'shared_schedule_not_found' } }
  expect(await friends.refreshFriends()).toEqual(['Tom'])
  expect(shown()).toEqual(['Lena K.: '])
})

it('without a network, or behind the login page of a Wi-Fi, friends stay as they were', async () => {
  friends.addFriend('t1', shared('Lena', 'a'))
  later()
  expect(await friends.refreshFriends()).toEqual([])
  answers['/api/shared/t1'] = { status: 404, body: '<p>Log in</p>' }
  expect(await friends.refreshFriends()).toEqual([])
  expect(shown()).toEqual(['Lena: a'])
})

it('two friends with the same initials are told apart by two letters of their names', () => {
  friends.addFriend('t1', shared('Lena'))
  friends.addFriend('t2', shared('Luca'))
  friends.addFriend('t3', shared('Tom Meier'))
  const all = friends.friendsHere()
  expect(all.map((each) => friends.initialsOf(each, all))).toEqual(['Le', 'Lu', 'TM'])
})
