import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../kit/shared/endpoint.ts'
import { isCachedAnswer, isNeededAnswer } from './cached-pages.ts'

/** Public, and of no use without a network, or with a secret in the address. */
const neverKept = [
  '/api/auth/challenge',
  '/api/auth/options',
  // the token in the address is a secret of who shared it
  '/api/shared/{token}',
  // the time that the server has now
  '/api/till/clock',
]

it('the answers that everybody may have are kept for when there is no network, and no others', async () => {
  const root = new URL('../../..', import.meta.url).pathname
  const modules = await Promise.all(
    globSync('src/*/{contract.ts,contract/*.ts}', { cwd: root }).map(
      (file) => import(root + file) as Promise<Record<string, unknown>>,
    ),
  )
  const asked = modules
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === 'object' && value !== null && 'path' in value && 'access' in value)
    .map((value) => value as Endpoint)
    .filter(({ method, feed, redirects, stream }) => method === 'GET' && !feed && !redirects && !stream)
  const isForAll = ({ access }: Endpoint) => typeof access === 'string'
  const expected = asked.filter((each) => isForAll(each) && !neverKept.includes(each.path)).map(({ path }) => path)
  const kept = asked.filter((each) => isForAll(each) && isCachedAnswer(each.path)).map(({ path }) => path)
  expect(expected.length).toBeGreaterThan(20)
  expect([...new Set(kept)].toSorted()).toEqual([...new Set(expected)].toSorted())
})

it('the programme of each day and urgent notices are kept apart from what else is looked at', () => {
  const of = (address: string) => isNeededAnswer(new URL(address, 'https://rheinklang.example'))
  for (const address of ['/api/events?day=2026-06-20', '/api/events', '/api/events/programme', '/api/events/now-next'])
    expect(of(address), address).toBe(true)
  expect(of('/api/urgent')).toBe(true)
  for (const address of ['/api/events?day=2026-06-20&q=jazz', '/api/events/1', '/api/deals', '/api/deals?day=1'])
    expect(of(address), address).toBe(false)
})
