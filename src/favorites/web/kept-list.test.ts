import { afterEach, expect, it, vi } from 'vitest'
import { keptAtHeader } from '../../kit/browser/kept-answers.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('what a guest has saved is kept ahead without a word about the network, and not where it was kept before', async () => {
  const stored = new Map([['rheinklang-saved', JSON.stringify({ keys: ['deal:1'], unsent: {}, of: 'guest' })]])
  const favorite = { kind: 'deal', id: '1', name: 'Coffee', saved_at: null }
  let headers: Record<string, string> = {}
  vi.stubGlobal('document', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('fetch', async () => Response.json([favorite], { headers }))
  vi.resetModules()
  const { keepFavorites, keptList } = await import('./kept-list.ts')
  const { currentConnection, noteKept } = await import('../../kit/browser/connection.ts')
  headers = { [keptAtHeader]: 'Sat, 20 Jun 2026 18:00:00 GMT' }
  await keepFavorites()
  expect([keptList('guest'), currentConnection().isOffline]).toEqual([null, false])
  noteKept('2026-06-20T18:00:00Z')
  headers = {}
  await keepFavorites()
  expect(keptList('guest')?.favorites).toHaveLength(1)
  expect(currentConnection().asOf).toBe('2026-06-20T18:00:00Z')
})
