import { browser, itemsOf, type Device } from './device.ts'
import { copies, type Copies } from './copies.ts'
import { groupBy } from '../shared/group-by.ts'
import { newKey } from './new-key.ts'
import { isObject } from './reading.ts'

/** What somebody did here that the server has not answered. */
export interface Intent<Data = unknown> {
  /** Idempotency key, the same through all tries. */
  key: string
  room: string
  /** What it changes, as `deal:<id>`: two intents of one subject may be merged. */
  subject: string
  /** Who did it: `guest`, `user-…`, `device-…`; without a colon. */
  owner: string
  /** When it was tapped, ms since 1970 by this device. */
  at: number
  data: Data
  /** It was sent once, so it may have arrived: nothing is merged into it any more. */
  tried?: true
  /** The server said no for good; it stays until somebody has read that. */
  refused?: { code: string; error: string }
}

/**
 * What became of an intent. `later`: it and all behind it wait. `stop`: the same, and the sender must do something first. `skip`: it
 * alone waits.
 */
export type SendResult = 'done' | 'later' | 'stop' | 'skip' | { refused: NonNullable<Intent['refused']> }

/** What a room gives the outbox. `merge` and `apply` are pure. */
export interface Room<Data, Value> {
  name: string
  /** Who can send now; null: nobody. */
  owner: () => string | null
  /** Whose intents are shown over the copy, that of the first one. */
  owners: () => readonly string[]
  /** What is shown where there is no copy; null: the room has none. */
  empty: Value
  /** The copy as it can be read, perhaps of an older version of this app; null: there is none. */
  read?: (stored: unknown) => Value | null | undefined
  /** Two of one subject as one; null: nothing is left to be sent; undefined: both are sent. */
  merge: (earlier: Intent<Data>, later: Intent<Data>) => Intent<Data> | null | undefined
  /** What the screen shows of a copy once the intent is done. */
  apply: (value: Value, intent: Intent<Data>) => Value
  send: (intent: Intent<Data>) => Promise<SendResult>
  /** Runs once before all are sent; false: the server cannot be reached. */
  before?: (owner: string) => Promise<boolean>
  /**
   * Names it on the page that logs out: a key under `logout` in the message catalogues, its values, and what was written. Of one that was
   * refused the key stands under `refused`.
   */
  words: (intent: Intent<Data>) => Words
}

export interface Words {
  key: string
  values: Record<string, string | number>
  text?: string | null
}

const prefix = 'outbox:'
/** Ages are sent in whole seconds. */
const roundingMs = 1000

/**
 * One item of local storage an intent, `outbox:<owner>:<room>:<at>:<key>`, added without reading first: two tabs cannot overwrite each
 * other's. Intents are merged only when they are sent, one tab at a time where the browser has locks; without, their keys and ages make
 * sending twice harmless.
 */
export function openOutbox(device: Device, ofCopies: Copies) {
  const items = itemsOf(device, (name) => name.startsWith(prefix), changed)
  const listeners = new Set<() => void>()
  const turns = new Map<string, Promise<unknown>>()
  const shownBefore = new WeakMap<object, { of: readonly unknown[]; value: unknown }>()
  let known: readonly Intent[] | null = null
  let lastAt = 0

  function changed() {
    known = null
    for (const tell of listeners) tell()
  }

  /** All of this device in the order in which they were tapped; the same array until something changes. */
  function all(): readonly Intent[] {
    known ??= readAll()
    return known
  }

  function readAll(): Intent[] {
    const read = items.names().flatMap((name) => intentOf(name, items.get(name)) ?? [])
    // a tab that was closed while it moved an intent has left it twice
    const once = new Map(read.toSorted(inOrder).map((intent) => [intent.key, intent]))
    const intents = [...once.values()].toSorted(inOrder)
    lastAt = Math.max(lastAt, intents.at(-1)?.at ?? 0)
    return intents
  }

  /** Later than all that is known here, also where the clock was set back meanwhile. */
  const nextAt = () => (lastAt = Math.max(device.now(), lastAt + 1))

  function put(intent: Intent) {
    const { subject, data, tried, refused } = intent
    items.set(nameOf(intent), JSON.stringify({ subject, data, tried, refused }))
  }

  /** Puts some in place of others, which are then gone; whoever follows hears of it once. */
  function replace(others: readonly Intent[], by: readonly Intent[]) {
    for (const each of by) put(each)
    const names = new Set(by.map(nameOf))
    // what a full storage does not take is in memory alone: its item stays as it was stored before
    const unstored = new Set(by.filter((each) => !items.isStored(nameOf(each))).map(({ key }) => key))
    for (const each of others) if (!names.has(nameOf(each)) && !unstored.has(each.key)) items.remove(nameOf(each))
    // a full storage has room for it now
    items.storeAgain()
    changed()
  }

  function remove(gone: readonly Intent[]) {
    if (gone.length === 0) return
    const keys = new Set(gone.map(({ key }) => key))
    for (const name of items.names()) if (keys.has(name.split(':').at(-1)!)) items.remove(name)
    changed()
  }

  const of = (room: string, owner?: string): Intent[] =>
    all().filter((each) => each.room === room && (owner === undefined || each.owner === owner))

  /** As it is stored now, perhaps by another tab or as another's; undefined: it was taken back. */
  function stored({ key }: Intent): Intent | undefined {
    known = null
    return all().find((each) => each.key === key)
  }

  /** What waits, with what can be merged as one. */
  function merged(room: Room<never, never>, owner: string, subject?: string): Intent[] {
    // another tab may have added some that this one has not heard of yet
    known = null
    const waiting = of(room.name, owner).filter((each) => !each.refused && (!subject || each.subject === subject))
    const { merge } = room as unknown as Room<unknown, unknown>
    for (const ofSubject of groupBy(waiting, (each) => each.subject).values()) {
      const apart: Intent[] = []
      for (const each of ofSubject) {
        let later: Intent | null = each
        for (let earlier = apart.at(-1); later && earlier && !earlier.tried; earlier = apart.at(-1)) {
          const one = merge(earlier, later)
          if (one === undefined) break
          replace([earlier, later], one ? [one] : [])
          apart.pop()
          later = one
        }
        if (later) apart.push(later)
      }
    }
    return of(room.name, owner).filter((each) => !each.refused && (!subject || each.subject === subject))
  }

  /**
   * An attempt may arrive at its very end: the server then takes its intent for as much later as the attempt took, and would not follow
   * what was tapped in between. That counts as tapped after it.
   */
  function stampAfter(room: Room<never, never>, sent: Intent, tookMs: number) {
    merged(room, sent.owner, sent.subject)
    let at = sent.at + Math.max(tookMs, 0) + roundingMs
    // in their order, also of those that a login has brought another owner meanwhile
    const during = of(room.name).filter(
      (each) => each.subject === sent.subject && !each.tried && !each.refused && each.at >= sent.at && each.at <= at,
    )
    replace(
      during,
      during.map((each) => ({ ...each, at: ++at })),
    )
    if (during.length > 0) lastAt = Math.max(lastAt, at)
  }

  async function sendAll(room: Room<never, never>): Promise<'done' | 'later' | 'stop'> {
    const owner = room.owner()
    if (owner === null) return 'later'
    items.storeAgain()
    // also where it cannot be sent: the page that logs out names what is left
    merged(room, owner)
    if (room.before && !(await room.before(owner))) return 'later'
    const skipped = new Set<string>()
    while (room.owner() === owner) {
      const next = merged(room, owner).find(({ key }) => !skipped.has(key))
      if (!next) return skipped.size > 0 ? 'later' : 'done'
      const sent: Intent = { ...next, tried: true }
      replace([next], [sent])
      const since = device.now()
      const result = await room.send(sent as Intent<never>)
      const now = stored(sent)
      // who logged out meanwhile has taken it back
      if (!now) continue
      stampAfter(room, now, device.now() - since)
      if (result === 'later' || result === 'stop') return result
      if (result === 'skip') skipped.add(sent.key)
      else if (result === 'done') {
        if (room.owner() === owner)
          ofCopies.change(owner, room.name, (value: never) => room.apply(value, sent as Intent<never>), room.empty)
        remove([sent])
      } else replace([now], [{ ...now, refused: result.refused }])
    }
    return 'later'
  }

  return {
    all,
    of,
    /** The time is now, the key a new one, unless given. */
    add<Data>(given: Omit<Intent<Data>, 'key' | 'at'> & Partial<Pick<Intent, 'key' | 'at'>>): Intent<Data> {
      const intent = { key: newKey(), at: given.at ?? nextAt(), ...given }
      put(intent)
      changed()
      return intent
    },
    remove,
    /** Puts an intent as it is by now in place of what was stored of it. */
    update: (before: Intent, now: Intent): void => replace([before], [now]),
    /** What one has done is another's from now on. */
    take(from: string, to: string, room: string): void {
      const taken = of(room, from)
      if (taken.length > 0)
        replace(
          taken,
          taken.map((each) => ({ ...each, owner: to })),
        )
    },
    /** Of accounts that are not here, those with the latest intents: the others are forgotten. */
    bound(here: string, most: number): void {
      const others = all().filter(({ owner }) => owner.startsWith('user-') && owner !== here)
      const owners = [...new Set(others.map(({ owner }) => owner).toReversed())]
      remove(others.filter(({ owner }) => owners.indexOf(owner) >= most))
    },
    forget: (owner: string): void => remove(all().filter((each) => each.owner === owner)),
    /** Sends what waits, one after the other, also when asked again meanwhile. */
    send<Data, Value>(room: Room<Data, Value>): Promise<'done' | 'later' | 'stop'> {
      const locks = device.locks()
      const work = () => sendAll(room as unknown as Room<never, never>)
      const turn = (turns.get(room.name) ?? Promise.resolve()).then(async () => {
        return locks ? locks.request(`${prefix}${room.name}`, work) : work()
      })
      const settled = turn.catch(() => 'later' as const)
      turns.set(room.name, settled)
      return settled
    },
    /** What the screen shows: the copy with what was done here. The same object until something changes. */
    shown<Data, Value>(room: Room<Data, Value>): Value {
      const owners = room.owners()
      const copy = ofCopies.get(owners[0] ?? '', room.name)
      const of = [all(), copy, owners.join()] as const
      const before = shownBefore.get(room)
      if (before?.of.every((each, n) => each === of[n])) return before.value as Value
      const intents = of[0].filter((each) => each.room === room.name && !each.refused && owners.includes(each.owner))
      const known = room.read && copy ? room.read(copy.value) : (copy?.value as Value | undefined)
      const value = (intents as Intent<Data>[]).reduce(room.apply, known ?? room.empty)
      shownBefore.set(room, { of, value })
      return value
    },
    /** Whether all that was done here is stored, and outlives this page. */
    isStored: () => items.isStored(),
    /** Calls `hear` after each change, also of another tab. @returns what ends it */
    follow(hear: () => void): () => void {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

const inOrder = (a: Intent, b: Intent) => a.at - b.at || (a.key < b.key ? -1 : 1)

const nameOf = ({ owner, room, at, key }: Intent) => `${prefix}${owner}:${room}:${at}:${key}`

/** null: not stored by this outbox. */
function intentOf(name: string, text: string | null): Intent | null {
  const [, owner, room, at, key] = name.split(':')
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (!isObject(stored) || typeof stored['subject'] !== 'string' || !owner || !room || !key) return null
    if (!Number.isFinite(Number(at))) return null
    const { subject, data, tried, refused } = stored as Pick<Intent, 'subject' | 'data' | 'tried' | 'refused'>
    return { key, room, subject, owner, at: Number(at), data, ...(tried && { tried }), ...(refused && { refused }) }
  } catch {
    return null
  }
}

export type Outbox = ReturnType<typeof openOutbox>
export const outbox = openOutbox(browser, copies)

/** 0: no answer. 401: the session must be renewed. From 429: too many, or a fault of the server. All else is final. */
export const comesLater = ({ status }: { status: number }): boolean => status === 0 || status === 401 || status >= 429
