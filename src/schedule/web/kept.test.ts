import { expect, it, onTestFinished, vi } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'
import type { Change } from './changes.ts'

const change = (event_id: string): Change => ({ event_id, what: 'remove', title: 'Alpha', at: 1, fields: {} })

it('a schedule change made while storage is full stays until the page is closed, and is stored once there is room', async () => {
  const stored = StoredHere.of({ 'unsent.schedule': JSON.stringify({ account_id: 'lena', changes: [], lost: [] }) }, 80)
  vi.stubGlobal('localStorage', stored)
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { keepUnsent, unsent } = await import('./kept.ts')
  keepUnsent({ account_id: 'lena', changes: [change('1')], lost: [] })
  expect(unsent().changes).toEqual([change('1')])
  Object.assign(stored, { room: 10_000 })
  keepUnsent({ account_id: 'lena', changes: [change('1'), change('2')], lost: [] })
  expect(JSON.parse(stored.getItem('unsent.schedule')!)).toMatchObject({ changes: [change('1'), change('2')] })
  stored.removeItem('unsent.schedule')
  expect(unsent().changes).toEqual([])
})
