import { expect, it, vi } from 'vitest'
import { aBrowserWith } from '../../../test/stored-here.ts'

const intent = (owner: string, kind: string, n: number, more: object = {}) => [
  `outbox:${owner}:${kind}:${n}:key${n}`,
  JSON.stringify({ subject: 'a', data: null, ...more }),
]
const refused = { refused: { code: 'gone', error: '' } }

async function inBrowser(items: string[][]) {
  const stored = aBrowserWith(Object.fromEntries(items) as Record<string, string>)
  return { stored, ...(await import('./outbox-items.ts')), ...(await import('./outbox.ts')) }
}

it('what was not sent is counted by kind: not what a guest has saved, and of refused ones those of the device alone', async () => {
  const { countUnsent } = await inBrowser([
    ['unsent', '{"schedule":3}'],
    intent('user-1', 'favorites', 1),
    intent('user-1', 'favorites', 2, { tried: true }),
    intent('user-1', 'favorites', 3, refused),
    intent('guest', 'favorites', 4),
    intent('ended', 'favorites', 5),
    intent('user-2', 'favorites', 8),
    intent('device-1', 'till', 6),
    intent('device-1', 'till', 7, refused),
  ])
  expect(countUnsent('user-1')).toEqual({ schedule: 3, favorites: 2, till: 2 })
})

it('what a full storage could not take is counted too, and goes with who logs out', async () => {
  const { stored, countUnsent, forgetOwner, outbox } = await inBrowser([intent('device-1', 'till', 1)])
  Object.assign(stored, { room: 0 })
  outbox.add({ owner: 'user-1', kind: 'favorites', subject: 'deal:1', data: null })
  expect(countUnsent('user-1')).toEqual({ favorites: 1, till: 1 })
  const hear = vi.fn()
  outbox.follow(hear)
  forgetOwner('user-1')
  expect(hear).toHaveBeenCalled()
  expect([countUnsent('user-1'), outbox.all().map(({ owner }) => owner)]).toEqual([{ till: 1 }, ['device-1']])
})

it('what was done under another name before the account was known is the account’s, also what a full storage could not take', async () => {
  const { stored, countUnsent, renameOwner, outbox } = await inBrowser([
    intent('user-1', 'favorites', 1),
    ['myCopy:user-1:favorites', '{"value":[],"asOf":"2026-06-20T18:00:00Z"}'],
    intent('user-10', 'favorites', 2),
    intent('guest', 'favorites', 3),
  ])
  Object.assign(stored, { room: 0 })
  outbox.add({ owner: 'user-1', kind: 'favorites', subject: 'deal:1', data: null })
  renameOwner('user-1', 'user-lena')
  expect([countUnsent('user-1'), countUnsent('user-lena')]).toEqual([{}, { favorites: 2 }])
  expect(outbox.all().map(({ owner }) => owner)).toEqual(['user-lena', 'user-10', 'guest', 'user-lena'])
})

it('counts of version 1.0 go with who logs out, but for those of the till', async () => {
  const { stored, countUnsent, forgetOwner } = await inBrowser([
    ['unsent', '{"schedule":3,"till":1}'],
    ['unsent.schedule', '{}'],
    ['aside.schedule', '[]'],
  ])
  forgetOwner('user-1')
  expect(countUnsent('user-1')).toEqual({ till: 1 })
  expect(Object.keys(stored).toSorted()).toEqual(['aside.schedule', 'unsent'])
})
