import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FavoriteServer, Phone, rest, type Account, type Net } from './phones.ts'

/** A random step of a person, the network or a browser. */
const step = fc.record({
  phone: fc.constantFrom(0, 1),
  tab: fc.constantFrom(0, 1),
  /** True time before the step, ms. */
  after: fc.integer({ min: 2000, max: 40_000 }),
  what: fc.oneof(
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('tap' as const), n: fc.constantFrom(1, 2) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('scan' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('net' as const),
        net: fc.constantFrom<Net>(
          'online',
          'online',
          'offline',
          'losesRequests',
          'losesAnswers',
          'late',
          'arrivesLate',
        ),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('reload' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('list' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('full' as const, 'freed' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('sessionEnds' as const, 'logout' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('login' as const),
        as: fc.constantFrom<Account>('lena', 'lena', 'tom'),
      }),
    },
  ),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface Tap {
  phone: number
  account: Account | null
  key: string
  what: 'add' | 'remove'
  at: number
  /** The intent's session has ended by itself: it belongs to the next login. */
  isEnded?: true
}

it('in 1,000 random histories of two phones no tap is lost, sent for another account, or counted twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(fc.integer({ min: -3600, max: 3600 }), fc.integer({ min: -3600, max: 3600 })),
      fc.array(step, { minLength: 5, maxLength: 25 }),
      async (skews, steps) => happens(skews, steps),
    ),
    // after a change of the outbox try other seeds and more runs
    { numRuns: 1000, seed: 4058 },
  )
})

async function happens(skews: [number, number], steps: Step[]): Promise<void> {
  const server = new FavoriteServer()
  const phones = skews.map((seconds) => new Phone(server, seconds * 1000)) as [Phone, Phone]
  for (const phone of phones) phone.logIn('lena')
  await rest()
  const tapped: Tap[] = []
  /** Intents that must not vanish. */
  let taps: Tap[] = []
  /** Keys of a guest, or of a session that ended by itself: the next account on this phone takes them. */
  const passedOn = new Set<string>()

  /** After a change by one phone, the other phone no longer promises what it showed. */
  let heard = 0
  const hearServed = () => {
    for (const { key } of server.served.slice(heard)) for (const phone of phones) forgetOthers(phone, key)
    heard = server.served.length
  }
  const forgetOthers = (phone: Phone, key: string) => {
    if (server.lastBy !== phone) for (const tab of phone.tabs) tab.promised.delete(key)
  }
  server.onServed = hearServed

  for (const { phone: p, tab, after, what } of steps) {
    server.now += after
    const phone = phones[p]!
    if (what.kind === 'tap') {
      // each account has its own things, so that the test sees whose they are
      const key = `deal:${phone.account ?? 'guest'}${what.n}`
      const done = phone.toggle(tab, key)
      if (done) tapped.push({ phone: p, account: phone.account, key, what: done, at: server.now })
      if (phone.account === null) passedOn.add(key)
      taps = taps.filter((each) => each.phone !== p || each.key !== key)
      if (done && phone.stored.room === Infinity && (phone.account !== null || done === 'add'))
        taps.push(tapped.at(-1)!)
    } else if (what.kind === 'scan') {
      const key = phone.tabs[tab]!.scan()
      if (phone.stored.room === Infinity) phone.scanned.push(key)
    } else if (what.kind === 'net') {
      phone.net = what.net
      if (what.net === 'online') phone.send()
    } else if (what.kind === 'answer') phone.hanging.shift()?.()
    else if (what.kind === 'reload') phone.reload(tab)
    else if (what.kind === 'list') void phone.tabs[tab]!.favorites.send()
    else if (what.kind === 'full') phone.stored.room = 0
    else if (what.kind === 'freed') phone.stored.room = Infinity
    else if (what.kind === 'logout') {
      taps = taps.filter((each) => each.phone !== p || each.account === null)
      phone.logOut()
    } else if (what.kind === 'sessionEnds' || phone.account !== null) {
      for (const each of tapped) if (each.phone === p && each.what === 'add') passedOn.add(each.key)
      taps = taps.flatMap((each) => {
        if (each.phone !== p || each.account === null) return each
        return each.what === 'add' ? { ...each, account: null, isEnded: true } : []
      })
      phone.endSession()
    }
    if (what.kind === 'login') {
      taps = taps.map((each) => (each.phone === p && each.isEnded ? { ...each, account: what.as } : each))
      phone.logIn(what.as)
    }
    await rest()
  }

  for (const phone of phones) {
    phone.net = 'online'
    phone.stored.room = Infinity
    if (phone.account === null) phone.logIn('lena')
  }
  for (let round = 0; round < 4; round++) {
    server.now += 20_000
    for (const phone of phones) {
      while (phone.hanging.length > 0) phone.hanging.shift()!()
      phone.send()
      await rest()
    }
  }

  // a tap is shown at every moment until it is refused or changed elsewhere
  for (const { flickers } of phones) expect(flickers).toEqual([])

  // both phones show the state of the server
  for (const { tabs, account } of phones)
    for (const { favorites } of tabs) expect(favorites.keys().toSorted()).toEqual(server.keys(account!).toSorted())

  // no intent is left
  for (const { tabs } of phones) expect(tabs[0]!.outbox.all().filter(({ refused }) => !refused)).toEqual([])

  // no intent of one account was sent for another, except those of guests
  for (const { account, key } of server.served)
    if (!passedOn.has(key)) expect(key, `sent for ${account}`).toMatch(new RegExp(`^deal:${account}`))

  // each scan counts once, whatever requests were lost, and no logout dropped one
  for (const { scanned } of phones) for (const key of scanned) expect(server.scans.get(key)).toBe(1)

  // no tap has vanished: the server has applied it, or it was reported as refused
  for (const { key, what, at, phone } of taps) {
    const isServed = server.served.some((each) => each.key === key && each.what === what && each.at > at - 1000)
    const isNamed = phones[phone]!.tabs[0]!.outbox.all().some((each) => each.subject === key && each.refused)
    expect(isServed || isNamed, `${what} ${key} vanished`).toBe(true)
  }

  // the server uses the true time of the tap, for any clock of the phone; after an attempt that hung, the end of that attempt
  for (const { key, what, at, by, isFromGuest } of server.served) {
    if (isFromGuest) continue
    const of = tapped.filter((each) => phones[each.phone] === by && each.key === key && each.what === what)
    const isRight = of.some((each) => at > each.at - 1000 && (by!.hasHung || at < each.at + 1500))
    expect(isRight, `${what} ${key} at ${at}`).toBe(true)
  }

  // of the taps that had an effect, the latest one wins
  for (const account of ['lena', 'tom'] as const)
    for (const key of new Set(server.served.map((each) => each.key))) {
      const of = server.served.filter((each) => each.isEffective && each.account === account && each.key === key)
      const last = of.toSorted((a, b) => a.at - b.at).at(-1)
      expect(server.keys(account).includes(key), `${key} of ${account}`).toBe(last?.what === 'add')
    }
}
