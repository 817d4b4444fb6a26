import type { ListedEvent } from '../../events/contract.ts'
import type { ScheduleEntry } from '../contract.ts'
import { inOrder } from '../times.ts'

/** What an entry has beside its event. */
export interface Beside {
  priority?: ScheduleEntry['priority']
  note?: string | null
  reminders?: number[]
}
export type Field = keyof Beside
const fieldNames = ['priority', 'note', 'reminders'] as const

/** A wish for a field, what it was before (undefined: not known), and when it was said, ms since 1970. */
export interface Wish {
  value: unknown
  before: unknown
  at: number
}

/** What was done to an event of the schedule without a network; one for each event. */
export interface Change {
  event_id: string
  what: 'add' | 'remove' | 'change'
  title: string
  /** ms since 1970, by this device */
  at: number
  fields: Partial<Record<Field, Wish>>
  /** Of an addition, also one that was removed again: what the list shows of it. */
  event?: ListedEvent
}

/** Somebody's wish that was not followed, so that they are told. */
export interface Lost {
  event_id: string
  title: string
  /** `later`: another device said otherwise later. `stays`: it was changed after it was removed here. `refused`: by the server. */
  why: 'later' | 'stays' | 'refused'
  field?: Field
  /** What was wished of the field, or the server's sentence. */
  text: string | null
}

export const wishes = (beside: Beside, before: Beside | undefined, at: number): Change['fields'] =>
  Object.fromEntries(
    fieldNames
      .filter((name) => beside[name] !== undefined)
      .map((name) => [name, { value: beside[name], before: before?.[name], at }]),
  )

/** What of `after` is not so in `before`. */
export const differing = (after: Beside, before: Beside): Beside =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(value, before[name as Field])))

/** The wished values of a change. */
export const wished = ({ fields }: Pick<Change, 'fields'>): Beside =>
  Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])) as Beside

/** Adds a change to those that were not sent: two of the same event become one. */
export function withChange(changes: readonly Change[], next: Change): Change[] {
  const others = changes.filter(({ event_id }) => event_id !== next.event_id)
  const known = changes.find(({ event_id }) => event_id === next.event_id)
  const merged = known ? mergedChange(known, next) : next
  return merged ? [...others, merged] : others
}

/** Without a removal of an event that was said before `at`. */
export const withoutOlderRemoval = (changes: readonly Change[], eventId: string, at: number): Change[] =>
  changes.filter((each) => each.event_id !== eventId || each.what !== 'remove' || each.at > at)

function mergedChange(known: Change, next: Change): Change | null {
  // a removal that hung, told only after what was said later
  if (next.what === 'remove' && known.at > next.at) return known
  // the server may have stored an addition whose answer was lost; a removal that has its event is of one that it may not have
  if (next.what === 'remove') return known.event ? { ...next, event: known.event } : next
  if (known.what === 'remove' && known.event) return next
  // brought back: it is on the server still, so only what is said of it counts
  if (known.what === 'remove') return Object.keys(next.fields).length > 0 ? { ...next, what: 'change' } : null
  const fields = { ...known.fields }
  for (const name of fieldNames) {
    const wish = next.fields[name]
    const first = known.fields[name]
    if (wish) fields[name] = first ? { ...wish, before: first.before } : wish
  }
  return { ...known, at: next.at, fields }
}

/** The schedule as it will be once all is sent. */
export function withChanges(entries: readonly ScheduleEntry[], changes: readonly Change[]): ScheduleEntry[] {
  const of = new Map(changes.map((change) => [change.event_id, change]))
  const there = entries.flatMap((entry) => {
    const change = of.get(entry.event.event_id)
    if (!change) return [entry]
    return change.what === 'remove' ? [] : [{ ...entry, ...wished(change) }]
  })
  const known = new Set(entries.map(({ event }) => event.event_id))
  const added = changes.flatMap((change) => {
    if (change.what !== 'add' || !change.event || known.has(change.event_id)) return []
    const at = new Date(change.at).toISOString()
    const plain = { priority: 'want' as const, note: null, reminders: [], created_at: at, updated_at: at }
    return [{ ...plain, ...wished(change), entry_id: localId(change.event_id), event: change.event }]
  })
  return [...there, ...added].toSorted((a, b) => inOrder(a.event, b.event))
}

/** Of an entry that only this device has. */
const localId = (eventId: string) => `local-${eventId}`

export interface Merge {
  /** What is to be sent; null: nothing. */
  send: { what: Change['what']; beside: Beside } | null
  lost: Lost[]
}

/**
 * How a change meets what the server has by now; `entry` null: nothing. Of each field the latest wish wins. The server says
 * when an entry was changed last, not each field: one that differs from what this device knew counts as changed then.
 */
export function merge(change: Change, entry: ScheduleEntry | null): Merge {
  const { event_id, title } = change
  const changedAt = entry ? Date.parse(entry.updated_at) || 0 : 0
  if (change.what === 'remove') {
    if (!entry) return { send: null, lost: [] }
    if (changedAt > change.at) return { send: null, lost: [{ event_id, title, why: 'stays', text: null }] }
    return { send: { what: 'remove', beside: {} }, lost: [] }
  }
  // removed elsewhere meanwhile, and wanted here: it comes back with what was said of it, unless the removal was tapped later
  if (!entry) return { send: { what: 'add', beside: wished(change) }, lost: [] }
  const beside: Beside = {}
  const lost: Lost[] = []
  for (const name of fieldNames) {
    const wish = change.fields[name]
    if (!wish || same(wish.value, entry[name])) continue
    const isChanged = wish.before !== undefined && !same(wish.before, entry[name])
    if (isChanged && changedAt > wish.at)
      lost.push({ event_id, title, why: 'later', field: name, text: textOf(wish.value) })
    else Object.assign(beside, { [name]: wish.value })
  }
  return { send: Object.keys(beside).length > 0 ? { what: 'change', beside } : null, lost }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(', ') : ((value as string | null) ?? ''))
