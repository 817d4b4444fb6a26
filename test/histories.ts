import fc from 'fast-check'
import { expect } from 'vitest'
import type { ScheduleEntry } from '../src/schedule/contract.ts'
import type { EntryEdit } from '../src/schedule/web/schedule-intents.ts'
import { Phone, type PhoneServer, rest, type Account, type Net } from './phones.ts'

/** What a person, a network and a browser do, at random. */
export const step = fc.record({
  phone: fc.constantFrom(0, 1),
  tab: fc.constantFrom(0, 1),
  /** True time until it happens, ms. */
  after: fc.integer({ min: 2000, max: 40_000 }),
  what: fc.oneof(
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('tap' as const), n: fc.constantFrom(1, 2) }) },
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant('plan' as const),
        n: fc.constantFrom(1, 2),
        said: fc.constantFrom(
          'toggle' as const,
          'toggle' as const,
          'note' as const,
          'priority' as const,
          'reminders' as const,
        ),
      }),
    },
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
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('list' as const, 'news' as const) }) },
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

/** A tap of the schedule. */
interface Planned {
  phone: number
  account: Account
  key: string
  what: 'put' | 'remove'
  fields: EntryEdit
  at: number
}

interface Tap {
  phone: number
  account: Account | null
  key: string
  what: 'add' | 'remove'
  at: number
  /** Its session has ended by itself: the next login takes it. */
  isEnded?: true
}

/** By how many seconds the clocks of the phones are wrong. */
export const skews = fc.tuple(fc.integer({ min: -3600, max: 3600 }), fc.integer({ min: -3600, max: 3600 }))

/** Plays a history of two phones, and throws where one of the claims of the outbox does not hold at its end. */
export async function happens(server: PhoneServer, skews: [number, number], steps: Step[]): Promise<void> {
  const phones = skews.map((seconds) => new Phone(server, seconds * 1000)) as [Phone, Phone]
  for (const phone of phones) phone.logIn('lena')
  await rest(server)
  const tapped: Tap[] = []
  /** Those that must not vanish. */
  let taps: Tap[] = []
  const planned: Planned[] = []
  /** Of these the last of each event, which must not vanish. */
  let plans: Planned[] = []
  /** Keys that a guest has or that a session left which ended by itself: the next account here takes them. */
  const passedOn = new Set<string>()

  /** What one phone has changed on the server the other one no longer promises. */
  let heard = 0
  let heardPlans = 0
  const hearServed = () => {
    for (const { key, by } of server.served.slice(heard)) forgetOthers(by, [key])
    heard = server.served.length
    for (const { key, by } of server.schedule.served.slice(heardPlans)) forgetOthers(by, phones[0].promisesOf(key))
    heardPlans = server.schedule.served.length
  }
  const forgetOthers = (by: Phone | null, names: string[]) => {
    for (const phone of phones)
      if (by !== phone) for (const { promised } of phone.tabs) for (const name of names) promised.delete(name)
  }
  server.onServed = hearServed

  for (const { phone: p, tab, after, what } of steps) {
    server.now += after
    const phone = phones[p]!
    if (what.kind === 'tap') {
      // an account's own things, so that it shows whose they are
      const key = `deal:${phone.account ?? 'guest'}${what.n}`
      const done = phone.toggle(tab, key)
      if (done) tapped.push({ phone: p, account: phone.account, key, what: done, at: server.now })
      if (phone.account === null) passedOn.add(key)
      taps = taps.filter((each) => each.phone !== p || each.key !== key)
      if (done && phone.stored.room === Infinity && (phone.account !== null || done === 'add'))
        taps.push(tapped.at(-1)!)
    } else if (what.kind === 'plan') {
      const key = `event:${phone.account}${what.n}`
      const said = {
        note: `note ${server.now}`,
        priority: priorities[server.now % 3]!,
        reminders: [[5], [10], [15], [30]][server.now % 4]!,
      }
      const done = phone.plan(tab, key, what.said === 'toggle' ? 'toggle' : { [what.said]: said[what.said] })
      if (done) {
        plans = plans.filter((each) => each.phone !== p || each.key !== key)
        const plan = { phone: p, account: phone.account!, key, ...done, at: server.now }
        planned.push(plan)
        if (phone.stored.room === Infinity) plans.push(plan)
      }
    } else if (what.kind === 'news') {
      // another part of the copy changes, or all of it
      phone.tabs[tab]!.schedule.setLinks({ feed_url: `${server.now}` })
      void phone.tabs[tab]!.schedule.load()
    } else if (what.kind === 'scan') {
      const key = phone.tabs[tab]!.scan()
      if (phone.stored.room === Infinity) phone.scanned.push(key)
    } else if (what.kind === 'net') {
      phone.net = what.net
      if (what.net === 'online') phone.send()
    } else if (what.kind === 'answer') phone.hanging.shift()?.()
    else if (what.kind === 'reload') phone.reload(tab)
    else if (what.kind === 'list') {
      void phone.tabs[tab]!.favorites.send()
      void phone.tabs[tab]!.schedule.load()
    } else if (what.kind === 'full') phone.stored.room = 0
    else if (what.kind === 'freed') phone.stored.room = Infinity
    else if (what.kind === 'logout') {
      taps = taps.filter((each) => each.phone !== p || each.account === null)
      plans = plans.filter((each) => each.phone !== p || each.account !== phone.account)
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
    await rest(server)
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
      await rest(server)
    }
  }

  const hasOf = async (account: Account) => ({
    keys: (await server.keys(account)).toSorted(),
    entries: (await server.schedule.list(account)).entries.map(plainOf).toSorted(byEvent),
  })
  const has = { lena: await hasOf('lena'), tom: await hasOf('tom') }

  // what was tapped is shown at every moment until it is refused or changed elsewhere
  for (const { flickers } of phones) expect(flickers).toEqual([])

  // both phones show what the server has
  for (const { tabs, account } of phones)
    for (const { favorites } of tabs) expect(favorites.keys().toSorted()).toEqual(has[account!].keys)

  for (const phone of phones) {
    for (const { schedule } of phone.tabs) {
      await schedule.load()
      const shown = (schedule.shown().entries ?? []).map(plainOf).toSorted(byEvent)
      expect(shown).toEqual(has[phone.account!].entries)
    }
  }

  // nothing waits for good, but what is another account's
  for (const { tabs, account } of phones) {
    const others = new Set(['lena', 'tom'].filter((each) => each !== account).map((each) => `user-${each}`))
    const left = tabs[0]!.outbox
      .all()
      .filter(({ refused, owner, kind }) => !refused && !(kind === 'schedule' && others.has(owner)))
    expect(left).toEqual([])
  }

  // nothing of one account was sent for another, but what a guest's phone passes on
  for (const { account, key } of server.served)
    if (!passedOn.has(key)) expect(key, `sent for ${account}`).toMatch(new RegExp(`^deal:${account}`))

  // each scan counts once, whatever was lost, and none was dropped by a logout
  for (const { scanned } of phones) for (const key of scanned) expect(server.scans.get(key)).toBe(1)

  // no tap has vanished: the server has followed it, or it was refused by name
  for (const { key, what, at, phone } of taps) {
    const isServed = server.served.some((each) => each.key === key && each.what === what && each.at > at - 1000)
    const isNamed = phones[phone]!.tabs[0]!.outbox.all().some((each) => each.subject === key && each.refused)
    expect(isServed || isNamed, `${what} ${key} vanished`).toBe(true)
  }

  // the server reckons with the moment of the tap, whatever the clock of the phone says; after an attempt that hung, with its end
  for (const { key, what, at, by, isFromGuest } of server.served) {
    if (isFromGuest) continue
    const of = tapped.filter((each) => phones[each.phone] === by && each.key === key && each.what === what)
    const isRight = of.some((each) => at > each.at - 1000 && (by!.hasHung || at < each.at + 1500))
    expect(isRight, `${what} ${key} at ${at}`).toBe(true)
  }

  // the latest tap wins
  for (const account of ['lena', 'tom'] as const)
    for (const key of new Set(server.served.map((each) => each.key))) {
      const of = server.served.filter((each) => each.account === account && each.key === key)
      const last = of.toSorted((a, b) => a.at - b.at).at(-1)
      expect(has[account].keys.includes(key), `${key} of ${account}`).toBe(last?.what === 'add')
    }

  const entries = { lena: has.lena.entries, tom: has.tom.entries }
  schedulesAreRight(server, entries, phones, planned, plans)
}

/** The same claims for events and what is said of them. */
function schedulesAreRight(
  { schedule }: PhoneServer,
  has: Record<Account, ReturnType<typeof plainOf>[]>,
  phones: Phone[],
  planned: Planned[],
  plans: Planned[],
) {
  const { served } = schedule
  for (const { account, key } of served) expect(key, `sent for ${account}`).toMatch(new RegExp(`^event:${account}`))

  // no tap has vanished: the server has heard of it, it was refused by name, or it waits for its account
  for (const { key, what, fields, at, phone } of plans) {
    const [field] = Object.keys(fields)
    const isServed = served.some(
      (each) =>
        each.by === phones[phone] &&
        each.key === key &&
        each.what === what &&
        each.at > at - 1000 &&
        (!field || field in each.fields),
    )
    const isThere = phones[phone]!.tabs[0]!.outbox.all().some(({ subject }) => subject === key)
    expect(isServed || isThere, `${what} ${key} ${field} vanished`).toBe(true)
  }

  // the server reckons with the moment of the tap; after an attempt that hung, with its end
  for (const { key, what, fields, at, by } of served) {
    const [field] = Object.keys(fields)
    const of = planned.filter(
      (each) => phones[each.phone] === by && each.key === key && each.what === what && (!field || field in each.fields),
    )
    const isRight = of.some((each) => at > each.at - 1000 && (by.hasHung || at < each.at + 1500))
    expect(isRight, `${what} ${key} ${field} at ${at}`).toBe(true)
  }

  // the latest tap wins, of an event and of each field, or the answer has said otherwise
  for (const account of ['lena', 'tom'] as const)
    for (const key of new Set(served.map((each) => each.key))) {
      const of = served.filter((each) => each.account === account && each.key === key).toSorted((a, b) => a.at - b.at)
      const entry = has[account].find(({ id }) => id === key)
      expect(entry !== undefined, `${key} of ${account}`).toBe(of.at(-1)?.what === 'put')
      const removedAt = of.findLast((each) => each.what === 'remove' && each.isEffective)?.at ?? -Infinity
      for (const field of ['note', 'priority', 'reminders'] as const) {
        const last = of.findLast((each) => field in each.fields && each.at > removedAt)
        if (entry && last && !last.overruled.includes(field)) expect(entry[field]).toEqual(last.fields[field])
        for (const { by, overruled } of of)
          if (overruled.includes(field) && by.account === account && !by.hasLoggedOut)
            expect(by.named, `${key} ${field} was overruled`).toContain(`${key} ${field}`)
      }
    }
}

const priorities = ['must', 'want', 'maybe'] as const
const plainOf = ({ event, note, priority, reminders }: ScheduleEntry) => ({
  id: event.event_id,
  note,
  priority,
  reminders,
})
const byEvent = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
