import { openFavorites } from '../src/favorites/web/favorites-room.ts'
import { openCopies } from '../src/kit/browser/copies.ts'
import type { Device } from '../src/kit/browser/device.ts'
import { openOutbox, type Room, type SendResult } from '../src/kit/browser/outbox.ts'
import type { RefusedAnswer } from '../src/kit/shared/refusal.ts'
import { StoredHere } from './stored-here.ts'

/** Phones with tabs and a server, all in memory; the test decides what happens to a request, and when. Times are true time in ms. */

export type Net = 'online' | 'offline' | 'losesRequests' | 'losesAnswers' | 'late' | 'arrivesLate'
export type Account = 'lena' | 'tom'

/** A request that reached the server, with its effect. */
interface Served {
  account: Account
  key: string
  what: 'add' | 'remove'
  /** Time of the tap as the server computes it; for things that a guest saved, the time of the login. */
  at: number
  isFromGuest: boolean
  /** False for adding a saved thing, and for removing one that is not saved, or was saved later. */
  isEffective: boolean
  by: Phone | null
}

/** Has the rules of favorites/server/favorites.ts and its store. */
export class FavoriteServer {
  now = Date.parse('2026-06-20T18:00:00Z')
  readonly served: Served[] = []
  /** Account of the last served request. */
  lastBy: Phone | null = null
  onServed: () => void = () => {}
  /** Number of times that each scan counted, by key. */
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
    this.served.push({ account, key, what, at, isFromGuest: false, isEffective, by: this.lastBy })
    return null
  }

  private insert(account: Account, key: string, at: number, isFromGuest: boolean) {
    const isEffective = !this.saved[account].has(key)
    if (isEffective) this.saved[account].set(key, at)
    this.served.push({ account, key, what: 'add', at, isFromGuest, isEffective, by: this.lastBy })
  }

  scan(key: string): void {
    this.scanTries.set(key, (this.scanTries.get(key) ?? 0) + 1)
    if (!this.scans.has(key)) this.scans.set(key, 1)
  }
}

const offline: RefusedAnswer = { status: 0, code: 'offline', error: '' }

/** A tab, with its own outbox, copies and rooms, on the storage of its phone. */
export interface Tab {
  favorites: ReturnType<typeof openFavorites>
  outbox: ReturnType<typeof openOutbox>
  sendScans: () => Promise<unknown>
  scan: () => string
  close: () => void
  /** What this tab must show, by key, until the server refuses it or it is changed elsewhere. */
  promised: Map<string, boolean>
  /** Names of items that other tabs have changed. */
  hear: ((name: string | null) => void)[]
}

let logins = 0

export class Phone {
  net: Net = 'online'
  account: Account | null = null
  readonly stored = StoredHere.of() as Storage & { room: number }
  readonly tabs: Tab[] = []
  /** Delayed answers, the oldest request first. */
  readonly hanging: (() => void)[] = []
  hasHung = false
  /** Things that were shown differently from their tap. */
  readonly flickers: string[] = []
  /** Keys of scans on this phone, which must count. */
  readonly scanned: string[] = []
  private readonly server: FavoriteServer
  private readonly skewMs: number
  private readonly turns = new Map<string, Promise<unknown>>()

  constructor(server: FavoriteServer, skewMs: number) {
    this.server = server
    this.skewMs = skewMs
    this.tabs.push(this.open(), this.open())
  }

  owner = (): string => (this.account === null ? 'guest' : (this.stored.getItem('myOwner') ?? 'guest'))

  logIn(account: Account): void {
    this.forgetSession()
    this.account = account
    // no login without storage
    this.stored.room = Infinity
    this.stored.setItem('myOwner', `user-${++logins}`)
    this.settle()
    this.send()
  }

  /** Ends the session by itself: the tab keeps nothing of it. */
  endSession(): void {
    this.forgetSession()
    this.settle()
  }

  logOut(): void {
    if (this.account === null) return
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
  }

  toggle(n: number, key: string): 'add' | 'remove' | null {
    const { favorites, promised } = this.tabs[n]!
    const what = favorites.keys().includes(key) ? 'remove' : 'add'
    for (const each of this.tabs) each.promised.delete(key)
    if (!favorites.toggle(key, key)) return null
    // other tabs cannot see what did not fit into a full storage
    if (this.stored.room === Infinity) promised.set(key, what === 'add')
    if (this.account !== null) void favorites.send()
    return what
  }

  send(): void {
    for (const { favorites, sendScans } of this.tabs) {
      void favorites.send()
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

  /** Sends a request through the network. null: no answer. */
  private async ask<Answer>(serve: (account: Account | null) => Answer, isOpen: () => boolean): Promise<Answer | null> {
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
    // the tab gives the request up when it arrives; closed tabs have no open requests
    if (net === 'arrivesLate') await hangs()
    if (!isOpen()) return new Promise<never>(() => {})
    this.server.lastBy = this
    const answer = serve(account)
    this.server.onServed()
    if (net === 'late' || net === 'losesAnswers') await hangs()
    // the code of a closed tab does not continue
    if (!isOpen()) return new Promise<never>(() => {})
    return net === 'losesAnswers' || net === 'arrivesLate' ? null : answer
  }

  private open(): Tab {
    let isOpen = true
    const hear: Tab['hear'] = []
    const closed = Promise.withResolvers<never>()
    closed.promise.catch(() => {})
    // storage events come, like in browsers, after the code of the changing tab
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
          const asked = await this.ask((account) => {
            if (!account) return { refused: { status: 401, code: 'unauthenticated', error: '' } }
            return { refused: this.server.change(account, key, what, ago) }
          }, isAlive)
          return asked === null ? offline : asked.refused
        },
      },
      this.owner,
    )
    const scans: Room<null, null> = {
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
      outbox,
      hear,
      promised: new Map(),
      sendScans: () => outbox.send(scans),
      scan: () => {
        const { key } = outbox.add({ room: 'till', owner: 'device-1', subject: `${Math.random()}`, data: null })
        void outbox.send(scans)
        return key
      },
      close: () => {
        isOpen = false
        closed.reject(new Error('closed'))
      },
    }
    const check = () => {
      // a full storage sends no event
      if (!isOpen || this.stored.room !== Infinity) return tab.promised.clear()
      const refused = outbox.of('favorites').filter((each) => each.refused)
      for (const { subject } of refused) tab.promised.delete(subject)
      for (const [key, isShown] of tab.promised)
        if (favorites.keys().includes(key) !== isShown)
          this.flickers.push(`${key} ${isShown ? 'is not shown' : 'is shown'}`)
    }
    outbox.follow(check)
    copies.follow(check)
    return tab
  }

  /** A lock that one tab has at a time; a closed tab releases it. */
  private lock(name: string, work: () => Promise<unknown>, closed: Promise<never>): Promise<unknown> {
    const turn = (this.turns.get(name) ?? Promise.resolve()).then(() => Promise.race([work(), closed]))
    this.turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }
}

/** Waits until nothing more happens by itself. */
export async function rest(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}
