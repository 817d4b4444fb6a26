import { expect, it } from 'vitest'
import { aBrowserWith } from '../../../test/stored-here.ts'

async function inBrowser(items: Record<string, string> = {}) {
  return { stored: aBrowserWith(items), ...(await import('./picks.ts')) }
}
const ids = (picks: readonly { id: string }[]) => picks.map(({ id }) => id)

it('picks are there in their order with what a list shows of them, once each, until they are removed', async () => {
  const { stored, addPicks, picksOf, removePicks } = await inBrowser()
  const [alpha, beta] = ['a', 'b'].map((id) => ({ id, title: `Event ${id}` }))
  expect([addPicks('schedule', [alpha!]), addPicks('schedule', [alpha!, beta!])]).toEqual([true, true])
  expect(picksOf('schedule')).toEqual([alpha, beta])
  const before = picksOf('schedule')
  const { outbox } = await import('./outbox.ts')
  outbox.remove([outbox.add({ kind: 'favorites', owner: 'guest', subject: 'deal:1', data: null })])
  // what is followed changes only with the picks
  expect(picksOf('schedule')).toBe(before)
  removePicks('schedule', ['a', 'unknown'])
  expect(picksOf('schedule')).toEqual([beta])
  removePicks('schedule', ['b'])
  expect(Object.keys(stored)).toEqual([])
})

it('of more than 200 picks, or where storage is full, none is added', async () => {
  const { stored, addPicks, picksOf, picksMost } = await inBrowser()
  const many = Array.from({ length: picksMost }, (_, n) => ({ id: String(n) }))
  expect([addPicks('schedule', many), addPicks('schedule', [{ id: 'one more' }])]).toEqual([true, false])
  expect(picksOf('schedule')).toHaveLength(picksMost)
  stored.clear()
  const next = await inBrowser()
  Object.assign(next.stored, { room: 0 })
  expect([next.addPicks('schedule', [{ id: 'a' }]), next.picksOf('schedule')]).toEqual([false, []])
})

it('picks that version 1.0 has stored are moved once, in their order, without what cannot be read', async () => {
  const old = JSON.stringify([{ id: 'b', title: 'Beta' }, 'x', { id: 'a', title: 'Alpha' }, null])
  const { stored, followPicks, picksOf } = await inBrowser({ 'picks.events': old })
  followPicks(() => {})
  expect(ids(picksOf('schedule'))).toEqual(['b', 'a'])
  expect(stored.getItem('picks.events')).toBeNull()
})
