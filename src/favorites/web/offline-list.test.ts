import { afterEach, expect, it, vi } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'
import { cachedAtHeader } from '../../kit/browser/offline-caches.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('the list of a guest is stored without a message about the network, and never from the service worker’s cache', async () => {
  const guests = { keys: ['deal:1'], unsent: {}, of: 'guest' }
  const favorite = { kind: 'deal', id: '1', name: 'Coffee', saved_at: null }
  let headers: Record<string, string> = {}
  vi.stubGlobal('document', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', StoredHere.of({ 'rheinklang-saved': JSON.stringify(guests) }))
  vi.stubGlobal('fetch', async () => Response.json([favorite], { headers }))
  vi.resetModules()
  const { offlineList, storeFavorites } = await import('./offline-list.ts')
  const { currentConnection, noteOfflineCopy } = await import('../../kit/browser/connection.ts')
  headers = { [cachedAtHeader]: 'Sat, 20 Jun 2026 18:00:00 GMT' }
  await storeFavorites()
  expect([offlineList(), currentConnection().isOffline]).toEqual([null, false])
  noteOfflineCopy('2026-06-20T18:00:00Z')
  headers = {}
  await storeFavorites()
  expect(offlineList()?.favorites).toHaveLength(1)
  expect(currentConnection().asOf).toBe('2026-06-20T18:00:00Z')
})
