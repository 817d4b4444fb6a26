import { expect, it, onTestFinished, vi } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'

const intent = (owner: string, room: string, n: number, more: object = {}) => [
  `outbox:${owner}:${room}:${n}:key${n}`,
  JSON.stringify({ subject: 'a', data: null, ...more }),
]
const refused = { refused: { code: 'gone', error: '' } }

async function inBrowser(items: string[][]) {
  const stored = StoredHere.of(Object.fromEntries(items) as Record<string, string>)
  vi.stubGlobal('document', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', stored)
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  return { stored, ...(await import('./unsent-store.ts')), ...(await import('./outbox.ts')) }
}

it('what was not sent is counted by room: not what a guest has saved, and of refused ones those of the device alone', async () => {
  const { allUnsent } = await inBrowser([
    ['unsent', '{"schedule":3}'],
    intent('user-1', 'favorites', 1),
    intent('user-1', 'favorites', 2, { tried: true }),
    intent('user-1', 'favorites', 3, refused),
    intent('guest', 'favorites', 4),
    intent('ended', 'favorites', 5),
    intent('device-1', 'till', 6),
    intent('device-1', 'till', 7, refused),
  ])
  expect(allUnsent()).toEqual({ schedule: 3, favorites: 2, till: 2 })
})

it('what a full storage could not take is counted too, and goes with who logs out', async () => {
  const { stored, allUnsent, forgetUnsent, outbox } = await inBrowser([intent('device-1', 'till', 1)])
  Object.assign(stored, { room: 0 })
  outbox.add({ owner: 'user-1', room: 'favorites', subject: 'deal:1', data: null })
  expect(allUnsent()).toEqual({ favorites: 1, till: 1 })
  const hear = vi.fn()
  outbox.follow(hear)
  forgetUnsent('user-1')
  expect(hear).toHaveBeenCalled()
  expect([allUnsent(), outbox.all().map(({ owner }) => owner)]).toEqual([{ till: 1 }, ['device-1']])
})
