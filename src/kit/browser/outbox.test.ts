import { expect, it } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'
import { openCopies } from './copies.ts'
import { waitsInOutbox, openOutbox, type Intent, type IntentKind, type SendResult } from './outbox.ts'

/** A tab over a storage, and a kind whose intents add up: +1 and -1 of one subject are nothing. */
function aTab(stored = StoredHere.of() as Storage & { room: number }) {
  let now = 1000
  const locked: string[] = []
  const device = {
    storage: () => stored,
    now: () => now,
    unstored: new Map(),
    locks: () => ({
      request: (async (name: string, work: () => Promise<unknown>) => (locked.push(name), work())) as never,
    }),
    onStorage: () => {},
  }
  const outbox = openOutbox(device, openCopies(device))
  const sent: Intent<number>[] = []
  const answers: (SendResult | Promise<SendResult>)[] = []
  const kind: IntentKind<number, null> = {
    name: 'sums',
    owner: () => 'user-1',
    owners: () => ['user-1'],
    empty: null,
    merge: (earlier, later) => (earlier.data + later.data === 0 ? null : { ...later, data: earlier.data + later.data }),
    apply: () => null,
    send: async (intent) => (sent.push(intent), answers.shift() ?? 'done'),
    words: ({ data }) => ({ key: 'n', values: { data } }),
  }
  const add = (subject: string, data = 1) => outbox.add({ kind: 'sums', owner: 'user-1', subject, data })
  const what = () => sent.map(({ subject, data }) => `${subject} ${data}`)
  return { stored, outbox, kind, sent, answers, add, what, locked, at: (ms: number) => (now = ms) }
}

it('an intent is one item, named after its owner, kind, time and key', () => {
  const { stored, add } = aTab()
  const { key } = add('a')
  expect({ ...stored }).toEqual({ [`outbox:user-1:sums:1000:${key}`]: '{"subject":"a","data":1}' })
})

it('intents are sent in their order and one of a subject is merged with the next, under a lock', async () => {
  const { stored, outbox, kind, add, what, locked } = aTab()
  add('a')
  add('b')
  add('a', 2)
  add('c')
  add('c', -1)
  expect(await outbox.send(kind)).toBe('done')
  expect([what(), locked]).toEqual([['b 1', 'a 3'], ['outbox:sums']])
  expect(Object.keys(stored)).toEqual([])
})

it('nothing is merged into an intent that was sent and may have arrived; its key stays the same', async () => {
  const { outbox, kind, sent, answers, add, what } = aTab()
  const { key } = add('a')
  answers.push('later')
  expect(await outbox.send(kind)).toBe('later')
  add('a', -1)
  expect(await outbox.send(kind)).toBe('done')
  expect(what()).toEqual(['a 1', 'a 1', 'a -1'])
  expect(sent.map((each) => each.key === key)).toEqual([true, true, false])
})

it('what was tapped later counts as tapped after the latest time that the server may take an attempt for', async () => {
  const { outbox, kind, answers, add, at } = aTab()
  answers.push('later')
  add('a')
  await outbox.send(kind)
  at(2000)
  add('a', 5)
  at(3000)
  const { promise, resolve } = Promise.withResolvers<SendResult>()
  answers.push(promise)
  const sending = outbox.send(kind)
  await new Promise(setImmediate)
  at(9000)
  resolve('later')
  await sending
  expect(outbox.of('sums').map((each) => each.at)).toEqual([1000, 8001])

  const next = Promise.withResolvers<SendResult>()
  answers.push(next.promise)
  const again = outbox.send(kind)
  await new Promise(setImmediate)
  at(10_000)
  add('a', 7)
  at(20_000)
  next.resolve('later')
  await again
  // the attempt took 11 s, so that the server may take its intent for one of 12 s
  expect(outbox.of('sums').map((each) => each.at)).toEqual([1000, 13_001])
})

it('one that is skipped holds up none behind it; one that stops holds up all', async () => {
  const { outbox, kind, answers, add, what } = aTab()
  for (const subject of ['a', 'b', 'c']) add(subject)
  answers.push('skip', 'done', 'stop')
  expect(await outbox.send(kind)).toBe('stop')
  expect(what()).toEqual(['a 1', 'b 1', 'c 1'])
  expect(outbox.of('sums').map(({ subject }) => subject)).toEqual(['a', 'c'])
})

it('one that is refused stays until it is removed, and is not sent again', async () => {
  const { outbox, kind, answers, add, what } = aTab()
  add('a')
  answers.push({ refused: { code: 'gone', error: 'It is gone.' } })
  expect([await outbox.send(kind), await outbox.send(kind)]).toEqual(['done', 'done'])
  expect(what()).toEqual(['a 1'])
  const [refused] = outbox.of('sums')
  expect(refused).toMatchObject({ refused: { code: 'gone', error: 'It is gone.' } })
  outbox.remove([refused!])
  expect(outbox.all()).toEqual([])
})

it('one that is forgotten while it is sent does not come back', async () => {
  const { stored, outbox, kind, answers, add } = aTab()
  add('a')
  const { promise, resolve } = Promise.withResolvers<SendResult>()
  answers.push(promise)
  const sending = outbox.send(kind)
  await new Promise(setImmediate)
  outbox.forget('user-1')
  resolve({ refused: { code: 'gone', error: '' } })
  await sending
  expect([outbox.all(), Object.keys(stored)]).toEqual([[], []])
})

it('an intent that a full storage cannot take is there and sent, and is stored once there is room', async () => {
  const { stored, outbox, kind, answers, add } = aTab()
  stored.room = 0
  add('a')
  expect([outbox.of('sums').length, outbox.isStored(), Object.keys(stored)]).toEqual([1, false, []])
  stored.room = Infinity
  answers.push('later')
  await outbox.send(kind)
  expect([outbox.isStored(), Object.keys(stored).length]).toEqual([true, 1])
})

it('later taps come later, also where the clock was set back', () => {
  const { stored, outbox, add, at } = aTab()
  add('a')
  at(500)
  add('b')
  // and in the next page
  const next = aTab(stored as never)
  next.at(500)
  next.outbox.all()
  next.add('c')
  expect(next.outbox.all().map(({ subject }) => subject)).toEqual(['a', 'b', 'c'])
  expect(outbox.all().length).toBeGreaterThan(0)
})

it.each([
  [0, true],
  [401, true],
  [429, true],
  [503, true],
  [400, false],
  [403, false],
  [404, false],
  [409, false],
])('an answer with status %d comes later: %s', (status, isLater) => {
  expect(waitsInOutbox({ status })).toBe(isLater)
})

it('a kind may leave two intents of a subject apart, and one that comes after both may take the place of all', async () => {
  const { outbox, kind, add, what } = aTab()
  kind.merge = (_, later) => (later.data === 9 ? later : undefined)
  add('a', 1)
  add('a', 2)
  await outbox.send(kind)
  expect(what()).toEqual(['a 1', 'a 2'])
  for (const data of [1, 2, 3, 9]) add('a', data)
  await outbox.send(kind)
  expect(what()).toEqual(['a 1', 'a 2', 'a 9'])
})

it('what cannot be sent is merged all the same, so that a list of it names nothing twice', async () => {
  const { outbox, kind, add } = aTab()
  kind.before = async () => false
  add('a')
  add('a', -1)
  add('b', 2)
  add('b', 3)
  expect(await outbox.send(kind)).toBe('later')
  expect(outbox.all().map(({ subject, data }) => [subject, data])).toEqual([['b', 5]])
})

it('a change whose time is moved while storage is full is there in the next page, as it was stored', async () => {
  const { stored, outbox, kind, answers, add } = aTab()
  answers.push('later')
  add('a')
  const { promise, resolve } = Promise.withResolvers<SendResult>()
  answers.unshift(promise)
  const sending = outbox.send(kind)
  await new Promise(setImmediate)
  add('a', 5)
  stored.room = 0
  resolve('later')
  await sending
  expect(
    aTab(stored)
      .outbox.all()
      .map(({ data }) => data),
  ).toEqual([1, 5])
})
