import { openFavorites } from '../src/favorites/web/favorite-intents.ts'
import { openCopies } from '../src/kit/browser/copies.ts'
import type { Device } from '../src/kit/browser/device.ts'
import { openOutbox, type IntentKind, type SendResult } from '../src/kit/browser/outbox.ts'
import type { RefusedAnswer } from '../src/kit/shared/refusal.ts'
import {
  openSchedule,
  type EntryChange,
  type EntryEdit,
  type Schedule,
  type ScheduleCalls,
} from '../src/schedule/web/schedule-intents.ts'
import { eventOf, ScheduleServer, type ServedChange } from './schedule-server.ts'
import { StoredHere } from './stored-here.ts'

/** Phones with tabs before a server, all in memory: what happens to a request and when is said by a test. Times are ms of true time. */

export type Net = 'online' | 'offline' | 'losesRequests' | 'losesAnswers' | 'late' | 'arrivesLate'
export type Account = 'lena' | 'tom'

/** A request that the server has followed, or would not; the effect is what it has changed. */
export interface Served {
  account: Account
  key: string
  what: 'add' | 'remove'
  /** When it was tapped, as the server reckons; what a guest has saved counts when it comes along. */
  at: number
  isFromGuest: boolean
  /** False: an addition of what was there, or a removal of what was not, or was saved after it. */
  isEffective: boolean
  by: Phone | null
}

type MaybePromise<Value> = Value | Promise<Value>

/** A server as phones and histories know it; a real one answers by promises. */
export interface PhoneServer {
  /** ms of true time; phones and histories turn it forward. */
  now: number
  served: readonly Served[]
  lastBy: Phone | null
  onServed: () => void
  scans: ReadonlyMap<string, number>
  /** Requests that were not answered. */
  pending?: number
  keys: (account: Account) => MaybePromise<string[]>
  merge: (account: Account, keys: readonly string[]) => MaybePromise<string[]>
  change: (account: Account, key: string, what: 'add' | 'remove', ago?: number) => MaybePromise<RefusedAnswer | null>
  scan: (key: string) => void
  schedule: {
    served: readonly ServedChange<Phone>[]
    list: (account: Account) => MaybePromise<Schedule>
    put: (
      by: Phone,
      account: Account,
      key: string,
      fields: EntryEdit,
      now: number,
      ago?: number,
    ) => MaybePromise<Awaited<ReturnType<ScheduleCalls['put']>>>
    remove: (by: Phone, account: Account, key: string, now: number, ago?: number) => MaybePromise<RefusedAnswer | null>
  }
}

/** The rules of favorites/server/favorites.ts and its store. */
export class FavoriteServer implements PhoneServer {
  now = Date.parse('2026-06-20T18:00:00Z')
  readonly served: Served[] = []
  readonly schedule = new ScheduleServer<Phone>()
  /** Whose request was served last. */
  lastBy: Phone | null = null
  onServed: () => void = () => {}
  /** How often each scan counted, by its key. */
  readonly scans = new Map<string, number>()
  readonly scanTries = new Map<string, number>()
  private readonly saved = { lena: new Map<string, number>(), tom: new Map<string, number>() }
  private readonly removed = { lena: new Map<string, number>(), tom: new Map<string, number>() }

  /** The newest first. */
  keys = (account: Account): string[] => [...this.saved[account]].toSorted(([, a], [, b]) => b - a).map(([key]) => key)

  merge(account: Account, keys: readonly string[]): string[] {
    for (const key of keys) this.insert(account, key, this.now, true)
    return this.keys(account)
  }

  change(account: Account, key: string, what: 'add' | 'remove', secondsAgo = 0): RefusedAnswer | null {
    const at = this.now - secondsAgo * 1000
    const savedAt = this.saved[account].get(key)
    if (what === 'add') {
      const isRemovedSince = secondsAgo > 0 && (this.removed[account].get(key) ?? -Infinity) > at
      if (savedAt === undefined && isRemovedSince)
        return { status: 409, code: 'favorite_removed_later', error: 'Removed.' }
      this.insert(account, key, at, false)
      return null
    }
    const isEffective = savedAt !== undefined && (secondsAgo === 0 || savedAt <= at)
    if (isEffective) {
      this.saved[account].delete(key)
      this.removed[account].set(key, Math.max(at, this.removed[account].get(key) ?? 0))
    }
    if (!isEffective) this.removed[account].set(key, Math.max(at, this.removed[account].get(key) ?? 0))
    this.served.push({ account, key, what, at, isFromGuest: false, isEffective, by: this.lastBy })
    return null
  }

  private insert(account: Account, key: string, at: number, isFromGuest: boolean) {
    const isEffective = !this.saved[account].has(key)
    this.saved[account].set(key, Math.max(at, this.saved[account].get(key) ?? 0))
    this.served.push({ account, key, what: 'add', at, isFromGuest, isEffective, by: this.lastBy })
  }

  scan(key: string): void {
    this.scanTries.set(key, (this.scanTries.get(key) ?? 0) + 1)
    if (!this.scans.has(key)) this.scans.set(key, 1)
  }
}

const offline: RefusedAnswer = { status: 0, code: 'offline', error: '' }
const unauthenticated: RefusedAnswer = { status: 401, code: 'unauthenticated', error: '' }

/** One tab: outbox, copies and kinds of intents of its own over the storage of its phone. */
export interface Tab {
  favorites: ReturnType<typeof openFavorites>
  schedule: ReturnType<typeof openSchedule>
  outbox: ReturnType<typeof openOutbox>
  sendScans: () => Promise<unknown>
  scan: () => string
  close: () => void
  /** What this tab has promised to show, by key, until the server refuses it or something else changes it. */
  promised: Map<string, unknown>
  /** Names of items that other tabs have changed. */
  hear: ((name: string | null) => void)[]
}

export class Phone {
  net: Net = 'online'
  account: Account | null = null
  readonly stored = StoredHere.of() as Storage & { room: number }
  readonly tabs: Tab[] = []
  /** Answers that hang, the first asked for first. */
  readonly hanging: (() => void)[] = []
  hasHung = false
  /** A logout forgets also what is named. */
  hasLoggedOut = false
  /** Fields of events (`event:… note`) of which it was named here that another device was later. */
  readonly named = new Set<string>()
  /** What was shown other than it was tapped. */
  readonly flickers: string[] = []
  /** Keys of scans that were made here and must count. */
  readonly scanned: string[] = []
  private readonly server: PhoneServer
  private readonly skewMs: number
  private readonly turns = new Map<string, Promise<unknown>>()

  constructor(server: PhoneServer, skewMs: number) {
    this.server = server
    this.skewMs = skewMs
    this.tabs.push(this.open(), this.open())
  }

  owner = (): string => (this.account === null ? 'guest' : (this.stored.getItem('myOwner') ?? 'guest'))

  logIn(account: Account): void {
    this.forgetSession()
    this.account = account
    // a login needs storage
    this.stored.room = Infinity
    this.stored.setItem('myOwner', `user-${account}`)
    this.settle()
    this.send()
  }

  /** It ended by itself: nothing of the session stays. */
  endSession(): void {
    this.forgetSession()
    this.settle()
  }

  logOut(): void {
    if (this.account === null) return
    this.hasLoggedOut = true
    for (const tab of this.tabs) tab.promised.clear()
    for (const { outbox } of this.tabs) outbox.forget(this.owner())
    this.endSession()
    for (const n of this.tabs.keys()) this.reload(n)
  }

  reload(n: number): void {
    this.tabs[n]!.close()
    this.tabs[n] = this.open()
    this.tabs[n].favorites.settle()
    void this.tabs[n].favorites.send()
    void this.tabs[n].schedule.send()
  }

  toggle(n: number, key: string): 'add' | 'remove' | null {
    const { favorites, promised } = this.tabs[n]!
    const what = favorites.keys().includes(key) ? 'remove' : 'add'
    for (const each of this.tabs) each.promised.delete(key)
    if (!favorites.toggle(key, key)) return null
    // of what a full storage cannot take other tabs do not hear
    if (this.stored.room === Infinity) promised.set(key, what === 'add')
    if (this.account !== null) void favorites.send()
    return what
  }

  /** Adds or removes an event, or says something of one that is there. */
  plan(n: number, key: string, what: 'toggle' | EntryEdit): { what: 'put' | 'remove'; fields: EntryEdit } | null {
    const { schedule, promised } = this.tabs[n]!
    const isThere = schedule.shown().entries?.some(({ event }) => event.event_id === key) ?? false
    if (this.account === null || (what !== 'toggle' && !isThere)) return null
    for (const each of this.tabs) for (const name of this.promisesOf(key)) each.promised.delete(name)
    const isRemoved = what === 'toggle' && isThere
    const fields = what === 'toggle' ? {} : what
    if (isRemoved) schedule.remove(eventOf(key))
    else if (what === 'toggle') schedule.add(eventOf(key), eventOf(key), {})
    else schedule.change(eventOf(key), what)
    if (this.stored.room === Infinity) {
      promised.set(key, !isRemoved)
      for (const [name, value] of Object.entries(fields)) promised.set(`${key} ${name}`, value)
    }
    void schedule.send()
    return { what: isRemoved ? 'remove' : 'put', fields }
  }

  /** Names of what is promised of an event. */
  promisesOf = (key: string) => [key, ...['note', 'priority', 'reminders'].map((name) => `${key} ${name}`)]

  send(): void {
    for (const { favorites, schedule, sendScans } of this.tabs) {
      void favorites.send()
      void schedule.send()
      void sendScans()
    }
  }

  now = (): number => this.server.now + this.skewMs

  private settle() {
    for (const { favorites } of this.tabs) favorites.settle()
  }

  private forgetSession() {
    for (const tab of this.tabs) tab.promised.clear()
    for (const name of Object.keys(this.stored)) if (name.startsWith('my')) this.stored.removeItem(name)
    this.account = null
    for (const tab of this.tabs) for (const hear of tab.hear) hear(null)
  }

  /** What the network makes of a request. null: no answer. */
  private async ask<Answer>(
    serve: (account: Account | null) => MaybePromise<Answer>,
    isOpen: () => boolean,
  ): Promise<Answer | null> {
    const { net, account } = this
    const hangs = () => {
      this.hasHung = true
      return new Promise<void>((end) => this.hanging.push(end))
    }
    if (net === 'offline') return null
    if (net === 'losesRequests') {
      await hangs()
      return null
    }
    // it is given up as it arrives; a request of a tab that was closed is not on its way any more
    if (net === 'arrivesLate') await hangs()
    if (!isOpen()) return new Promise<never>(() => {})
    this.server.lastBy = this
    const answer = await serve(account)
    this.server.onServed()
    if (net === 'late' || net === 'losesAnswers') await hangs()
    // of a tab that was closed nothing goes on
    if (!isOpen()) return new Promise<never>(() => {})
    return net === 'losesAnswers' || net === 'arrivesLate' ? null : answer
  }

  private open(): Tab {
    let isOpen = true
    const hear: Tab['hear'] = []
    const closed = Promise.withResolvers<never>()
    closed.promise.catch(() => {})
    // as in browsers, once the tab that has changed it is done
    const tell = (name: string) =>
      queueMicrotask(() => {
        for (const tab of this.tabs) if (tab.hear !== hear) for (const each of tab.hear) each(name)
      })
    const stored = new Proxy(this.stored, {
      get: (target, name) => {
        if (!isOpen) throw new Error('closed')
        if (name === 'getItem') return (key: string) => target.getItem(key)
        if (name === 'setItem') return (key: string, text: string) => (target.setItem(key, text), tell(key))
        if (name === 'removeItem') return (key: string) => (target.removeItem(key), tell(key))
        return undefined
      },
    })
    const device: Device = {
      storage: () => stored,
      now: this.now,
      unstored: new Map(),
      locks: () =>
        ({ request: (name: string, work: () => Promise<unknown>) => this.lock(name, work, closed.promise) }) as never,
      onStorage: (each) => void hear.push(each),
    }
    const copies = openCopies(device)
    const outbox = openOutbox(device, copies)
    const isAlive = () => isOpen
    const favorites = openFavorites(
      { outbox, copies, now: this.now },
      {
        list: () => this.ask((account) => (account ? this.server.keys(account) : null), isAlive),
        merge: (keys) => this.ask((account) => (account ? this.server.merge(account, keys) : null), isAlive),
        send: async (key, what, ago) => {
          const asked = await this.ask(async (account) => {
            if (!account) return { refused: unauthenticated }
            return { refused: await this.server.change(account, key, what, ago) }
          }, isAlive)
          return asked === null ? offline : asked.refused
        },
      },
      this.owner,
    )
    const schedule = openSchedule(
      { outbox, copies, now: this.now },
      {
        list: async () => {
          const body = await this.ask((account) => (account ? this.server.schedule.list(account) : null), isAlive)
          return body ? { body, refused: null } : { body: null, refused: offline }
        },
        put: async (key, fields, ago) => {
          const asked = await this.ask((account) => {
            if (!account) return { body: null, refused: unauthenticated }
            return this.server.schedule.put(this, account, key, fields, this.server.now, ago)
          }, isAlive)
          return (asked ?? { body: null, refused: offline }) as Awaited<ReturnType<ScheduleCalls['put']>>
        },
        remove: async (key, ago) => {
          const asked = await this.ask(async (account) => {
            if (!account) return { refused: unauthenticated }
            return { refused: await this.server.schedule.remove(this, account, key, this.server.now, ago) }
          }, isAlive)
          return asked === null ? offline : asked.refused
        },
      },
      () => (this.account === null ? null : this.owner()),
    )
    const scans: IntentKind<null, null> = {
      name: 'till',
      owner: () => 'device-1',
      owners: () => ['device-1'],
      empty: null,
      merge: (_, later) => later,
      apply: () => null,
      send: async ({ key }): Promise<SendResult> =>
        (await this.ask(() => (this.server.scan(key), true), isAlive)) === null ? 'later' : 'done',
      words: () => ({ key: 'scans', values: { n: 1 } }),
    }
    const tab: Tab = {
      favorites,
      schedule,
      outbox,
      hear,
      promised: new Map(),
      sendScans: () => outbox.send(scans),
      scan: () => {
        const { key } = outbox.add({ kind: 'till', owner: 'device-1', subject: `${Math.random()}`, data: null })
        void outbox.send(scans)
        return key
      },
      close: () => {
        isOpen = false
        closed.reject(new Error('closed'))
      },
    }
    const check = () => {
      for (const { subject, data, refused } of isOpen ? outbox.of('schedule') : [])
        if (refused?.code === 'overruled')
          for (const field of Object.keys((data as EntryChange).fields)) this.named.add(`${subject} ${field}`)
      // tabs do not hear of what a full storage cannot take
      if (!isOpen || this.stored.room !== Infinity) return tab.promised.clear()
      const refused = outbox.all().filter((each) => each.refused)
      for (const { subject } of refused) for (const name of this.promisesOf(subject)) tab.promised.delete(name)
      const entries = new Map(schedule.shown().entries?.map((entry) => [entry.event.event_id, entry]))
      for (const [name, promised] of tab.promised) {
        const [key = '', field] = name.split(' ')
        const entry = entries.get(key)
        const shown = field
          ? entry?.[field as keyof EntryEdit]
          : key.startsWith('event:')
            ? entry !== undefined
            : favorites.keys().includes(key)
        if (JSON.stringify(shown) !== JSON.stringify(promised))
          this.flickers.push(`${name} is ${JSON.stringify(shown)} and not ${JSON.stringify(promised)}`)
      }
    }
    outbox.follow(check)
    copies.follow(check)
    return tab
  }

  /** One tab at a time; a tab that is closed lets go. */
  private lock(name: string, work: () => Promise<unknown>, closed: Promise<never>): Promise<unknown> {
    const turn = (this.turns.get(name) ?? Promise.resolve()).then(() => Promise.race([work(), closed]))
    this.turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }
}

/** Until nothing more happens by itself. */
export async function rest(server: PhoneServer): Promise<void> {
  do for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
  while (server.pending)
}
