import { browser, itemsOf, type Device } from './device.ts'
import { copies, type Copies } from './copies.ts'
import { groupBy } from '../shared/group-by.ts'
import { isTemporary } from '../shared/refusal.ts'
import { newKey } from './new-key.ts'
import { isObject } from './reading.ts'

/** One action of a person that the server has not confirmed yet. */
export interface Intent<Data = unknown> {
  /** Idempotency key, the same in every attempt. */
  key: string
  /** The `name` of its `IntentKind`. */
  kind: string
  /** The thing that it changes, such as `deal:<id>`. Intents with the same subject can be merged. */
  subject: string
  /** Who acted: `guest`, `user-…` or `device-…`, without a colon. */
  owner: string
  /** Time of the tap by the clock of this device, ms since 1970. */
  at: number
  data: Data
  /** It was sent before and may have arrived: nothing is merged into it any more. */
  tried?: true
  /** The server refused it for good. It stays until somebody has read that. */
  refused?: { code: string; error: string }
}

/** Result of an attempt. `later`: this intent and all behind it wait. `stop`: the same, until the sender acts. `skip`: it alone waits. */
export type SendResult = 'done' | 'later' | 'stop' | 'skip' | { refused: NonNullable<Intent['refused']> }

/** How intents of one kind are merged, shown and sent. `merge` and `apply` are pure. */
export interface IntentKind<Data, Value> {
  name: string
  /** The owner whose intents can be sent now; null: none. */
  owner: () => string | null
  /** Owners whose intents are shown; the offline copy is that of the first. */
  owners: () => readonly string[]
  /** Shown without an offline copy; null: the kind has no copies. */
  empty: Value
  /** Reads a copy that an older version of the app may have stored; null: unreadable. */
  read?: (stored: unknown) => Value | null | undefined
  /** Makes two intents of one subject one. null: they cancel out; undefined: both are sent. */
  merge: (earlier: Intent<Data>, later: Intent<Data>) => Intent<Data> | null | undefined
  /** The copy after the intent. */
  apply: (value: Value, intent: Intent<Data>) => Value
  send: (intent: Intent<Data>) => Promise<SendResult>
  /** Runs once before sending; false: the server cannot be reached. */
  before?: (owner: string) => Promise<boolean>
  /** Text for lists of intents: the key is under `logout` in the message catalogues, for a refused intent under `refused`. */
  words: (intent: Intent<Data>) => Words
}

export interface Words {
  key: string
  values: Record<string, string | number>
  /** What the person has written. */
  text?: string | null
}

const prefix = 'outbox:'
/** `seconds_ago` is sent in whole seconds. */
const roundingMs = 1000

/**
 * Stores each intent as one item of local storage, `outbox:<owner>:<kind>:<at>:<key>`, without reading first: two tabs cannot overwrite
 * each other's intents. They are merged only when they are sent, by one tab at a time if the browser has locks. Without locks their keys
 * and ages make sending twice harmless.
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
    for (const listener of listeners) listener()
  }

  /** All intents of this device by time. The same array until something changes. */
  function all(): readonly Intent[] {
    known ??= readAll()
    return known
  }

  function readAll(): Intent[] {
    const read = items.names().flatMap((name) => intentOf(name, items.get(name)) ?? [])
    // A tab that was closed during `replace` leaves an intent twice.
    const once = new Map(read.toSorted(inOrder).map((intent) => [intent.key, intent]))
    const intents = [...once.values()].toSorted(inOrder)
    lastAt = Math.max(lastAt, intents.at(-1)?.at ?? 0)
    return intents
  }

  /** Later than every known intent, even if the clock was set back. */
  const nextAt = () => (lastAt = Math.max(device.now(), lastAt + 1))

  function put(intent: Intent) {
    const { subject, data, tried, refused } = intent
    items.set(nameOf(intent), JSON.stringify({ subject, data, tried, refused }))
  }

  /** Stores `by` and removes `others`. Listeners are called once. */
  function replace(others: readonly Intent[], by: readonly Intent[]) {
    for (const each of by) put(each)
    const names = new Set(by.map(nameOf))
    // With a full storage a new item is in memory only: its old item stays.
    const unstored = new Set(by.filter((each) => !items.isStored(nameOf(each))).map(({ key }) => key))
    for (const each of others) if (!names.has(nameOf(each)) && !unstored.has(each.key)) items.remove(nameOf(each))
    // The removed items have made room.
    items.storeAgain()
    changed()
  }

  function remove(gone: readonly Intent[]) {
    if (gone.length === 0) return
    const keys = new Set(gone.map(({ key }) => key))
    for (const name of items.names()) if (keys.has(name.split(':').at(-1)!)) items.remove(name)
    changed()
  }

  const of = (kind: string, owner?: string): Intent[] =>
    all().filter((each) => each.kind === kind && (owner === undefined || each.owner === owner))

  /** The intent as it is stored now, perhaps by another tab or for another owner; undefined: removed. */
  function stored({ key }: Intent): Intent | undefined {
    known = null
    return all().find((each) => each.key === key)
  }

  /** Merges what can be merged. @returns the waiting intents */
  function merged(kind: IntentKind<never, never>, owner: string, subject?: string): Intent[] {
    // Another tab may have added intents without a storage event yet.
    known = null
    const waiting = of(kind.name, owner).filter((each) => !each.refused && (!subject || each.subject === subject))
    const { merge } = kind as unknown as IntentKind<unknown, unknown>
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
    return of(kind.name, owner).filter((each) => !each.refused && (!subject || each.subject === subject))
  }

  /**
   * An attempt may reach the server only at its end. The server then dates the intent later by the time that the attempt took, and would
   * ignore taps from in between. So these get a time after it.
   */
  function stampAfter(kind: IntentKind<never, never>, sent: Intent, tookMs: number) {
    merged(kind, sent.owner, sent.subject)
    let at = sent.at + Math.max(tookMs, 0) + roundingMs
    // of all owners: a login during the attempt may have reassigned them
    const during = of(kind.name).filter(
      (each) => each.subject === sent.subject && !each.tried && !each.refused && each.at >= sent.at && each.at <= at,
    )
    replace(
      during,
      during.map((each) => ({ ...each, at: ++at })),
    )
    if (during.length > 0) lastAt = Math.max(lastAt, at)
  }

  async function sendAll(kind: IntentKind<never, never>): Promise<'done' | 'later' | 'stop'> {
    const owner = kind.owner()
    if (owner === null) return 'later'
    items.storeAgain()
    // Merges also if nothing can be sent: the logout page lists the merged intents.
    merged(kind, owner)
    if (kind.before && !(await kind.before(owner))) return 'later'
    const skipped = new Set<string>()
    while (kind.owner() === owner) {
      const next = merged(kind, owner).find(({ key }) => !skipped.has(key))
      if (!next) return skipped.size > 0 ? 'later' : 'done'
      const sent: Intent = { ...next, tried: true }
      replace([next], [sent])
      const since = device.now()
      const result = await kind.send(sent as Intent<never>)
      const now = stored(sent)
      // A logout during the attempt has removed it.
      if (!now) continue
      stampAfter(kind, now, device.now() - since)
      if (result === 'later' || result === 'stop') return result
      if (result === 'skip') skipped.add(sent.key)
      else if (result === 'done') {
        if (kind.owner() === owner)
          ofCopies.change(owner, kind.name, (value: never) => kind.apply(value, sent as Intent<never>), kind.empty)
        remove([sent])
      } else replace([now], [{ ...now, refused: result.refused }])
    }
    return 'later'
  }

  return {
    all,
    of,
    /** Default: the present time and a new key. */
    add<Data>(given: Omit<Intent<Data>, 'key' | 'at'> & Partial<Pick<Intent, 'key' | 'at'>>): Intent<Data> {
      const intent = { key: newKey(), at: given.at ?? nextAt(), ...given }
      put(intent)
      changed()
      return intent
    },
    remove,
    /** Replaces a stored intent. */
    update: (before: Intent, now: Intent): void => replace([before], [now]),
    /** Changes the owner of the intents of a kind. */
    reassign(from: string, to: string, kind: string): void {
      const taken = of(kind, from)
      if (taken.length > 0)
        replace(
          taken,
          taken.map((each) => ({ ...each, owner: to })),
        )
    },
    /** Keeps intents of the `most` accounts other than `here` with the latest ones, and removes those of all others. */
    bound(here: string, most: number): void {
      const others = all().filter(({ owner }) => owner.startsWith('user-') && owner !== here)
      const owners = [...new Set(others.map(({ owner }) => owner).toReversed())]
      remove(others.filter(({ owner }) => owners.indexOf(owner) >= most))
    },
    forget: (owner: string): void => remove(all().filter((each) => each.owner === owner)),
    /** Sends the waiting intents one after the other. Calls during a run wait for their turn. */
    send<Data, Value>(kind: IntentKind<Data, Value>): Promise<'done' | 'later' | 'stop'> {
      const locks = device.locks()
      const work = () => sendAll(kind as unknown as IntentKind<never, never>)
      const turn = (turns.get(kind.name) ?? Promise.resolve()).then(async () => {
        return locks ? locks.request(`${prefix}${kind.name}`, work) : work()
      })
      const settled = turn.catch(() => 'later' as const)
      turns.set(kind.name, settled)
      return settled
    },
    /** The offline copy with all intents applied, for the screen. The same object until something changes. */
    shown<Data, Value>(kind: IntentKind<Data, Value>): Value {
      const owners = kind.owners()
      const copy = ofCopies.get(owners[0] ?? '', kind.name)
      const of = [all(), copy, owners.join()] as const
      const before = shownBefore.get(kind)
      if (before?.of.every((each, n) => each === of[n])) return before.value as Value
      const intents = of[0].filter((each) => each.kind === kind.name && !each.refused && owners.includes(each.owner))
      const known = kind.read && copy ? kind.read(copy.value) : (copy?.value as Value | undefined)
      const value = (intents as Intent<Data>[]).reduce(kind.apply, known ?? kind.empty)
      shownBefore.set(kind, { of, value })
      return value
    },
    /** False: some intents are in the memory of this page only. */
    isStored: () => items.isStored(),
    /** Calls `listener` after each change, also by another tab. @returns stops following */
    follow(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const inOrder = (a: Intent, b: Intent) => a.at - b.at || (a.key < b.key ? -1 : 1)

const nameOf = ({ owner, kind, at, key }: Intent) => `${prefix}${owner}:${kind}:${at}:${key}`

/** null: not an intent of this outbox. */
function intentOf(name: string, text: string | null): Intent | null {
  const [, owner, kind, at, key] = name.split(':')
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (!isObject(stored) || typeof stored['subject'] !== 'string' || !owner || !kind || !key) return null
    if (!Number.isFinite(Number(at))) return null
    const { subject, data, tried, refused } = stored as Pick<Intent, 'subject' | 'data' | 'tried' | 'refused'>
    return { key, kind, subject, owner, at: Number(at), data, ...(tried && { tried }), ...(refused && { refused }) }
  } catch {
    return null
  }
}

export type Outbox = ReturnType<typeof openOutbox>
export const outbox = openOutbox(browser, copies)

/** Whether an intent that got this refusal is sent again: it is temporary, or (401) the session must be refreshed. */
export const waitsInOutbox = (refused: { status: number }): boolean => refused.status === 401 || isTemporary(refused)
