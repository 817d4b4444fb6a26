import { expect, it } from 'vitest'
import { cachedAtHeader } from './offline-caches.ts'
import { serverTime, setServerTime } from './server-time.ts'

const answer = (date: number, headers = {}) =>
  new Response('', { headers: { date: new Date(date).toUTCString(), ...headers } })
const minutesAhead = () => Math.round((serverTime() - Date.now()) / 60_000)
const inMinutes = (minutes: number) => Date.now() + minutes * 60_000

it('the time is the server’s, however wrong the clock of the phone is', () => {
  expect(minutesAhead()).toBe(0)
  // an answer of the service worker's cache says nothing
  setServerTime(answer(inMinutes(-300), { [cachedAtHeader]: 'x' }))
  expect(minutesAhead()).toBe(0)
  setServerTime(answer(inMinutes(-10)))
  expect(minutesAhead()).toBe(-10)
  // nor does an older answer from the cache of the browser
  setServerTime(answer(inMinutes(-25)))
  expect(minutesAhead()).toBe(-10)
  setServerTime(answer(inMinutes(12)))
  expect(minutesAhead()).toBe(12)
})
