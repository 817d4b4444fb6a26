import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../kit/shared/endpoint.ts'
import { isCachedAnswer, isNeededAnswer } from './cached-pages.ts'

/** Public answers that are useless without a network, or have a secret in the address. */
const neverCached = [
  '/api/auth/challenge',
  '/api/auth/options',
  // whoever has the token sees the shared schedule
  '/api/shared/{token}',
  // the server's time now
  '/api/till/clock',
]

it('all public answers are cached for use without a network, and no others', async () => {
  const root = new URL('../../..', import.meta.url).pathname
  const modules = await Promise.all(
    globSync('src/*/{contract.ts,contract/*.ts}', { cwd: root }).map(
      (file) => import(root + file) as Promise<Record<string, unknown>>,
    ),
  )
  const endpoints = modules
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === 'object' && value !== null && 'path' in value && 'access' in value)
    .map((value) => value as Endpoint)
    .filter(({ method, feed, redirects, stream }) => method === 'GET' && !feed && !redirects && !stream)
  const isForAll = ({ access }: Endpoint) => typeof access === 'string'
  const expected = endpoints
    .filter((each) => isForAll(each) && !neverCached.includes(each.path))
    .map(({ path }) => path)
  const cached = endpoints.filter((each) => isForAll(each) && isCachedAnswer(each.path)).map(({ path }) => path)
  expect(expected.length).toBeGreaterThan(20)
  expect([...new Set(cached)].toSorted()).toEqual([...new Set(expected)].toSorted())
})

it('the programme of each day and urgent notices have a cache of their own', () => {
  const of = (address: string) => isNeededAnswer(new URL(address, 'https://rheinklang.example'))
  for (const address of ['/api/events?day=2026-06-20', '/api/events', '/api/events/programme'])
    expect(of(address), address).toBe(true)
  expect(of('/api/urgent')).toBe(true)
  for (const address of ['/api/events?day=2026-06-20&q=jazz', '/api/events/1', '/api/deals', '/api/deals?day=1'])
    expect(of(address), address).toBe(false)
})
