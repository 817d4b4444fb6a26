import type { ListedEvent } from '../../events/contract.ts'
import type { Copies } from '../../kit/browser/copies.ts'
import { shouldRetry, type Intent, type Outbox, type Room, type Words } from '../../kit/browser/outbox.ts'
import { secondsSince } from '../../kit/browser/seconds-since.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { addToSchedule, listSchedule, ScheduleEntry } from '../contract.ts'
import { inOrder } from '../times.ts'

/** What a person can set on an entry. */
export interface EntryFields {
  priority?: ScheduleEntry['priority']
  note?: string | null
  reminders?: number[]
}

/** Of the event whose id is the subject. */
export interface EntryChange {
  what: 'add' | 'remove' | 'change'
  title: string
  fields: EntryFields
  /** Of an addition: what the list shows of it. */
  event?: ListedEvent | undefined
}

export type Schedule = AnswerBody<typeof listSchedule>
type Addition = Pick<AnswerBody<typeof addToSchedule>, 'entry' | 'overruled'>

/** How the room reaches the server. */
export interface ScheduleCalls {
  list: () => Promise<{ body: Schedule; refused: null } | { body: null; refused: RefusedAnswer }>
  /** Adds the event, or changes what is said of it. */
  put: (
    eventId: string,
    fields: EntryFields,
    secondsAgo: number | undefined,
  ) => Promise<{ body: Addition; refused: null } | { body: null; refused: RefusedAnswer }>
  read?: (stored: unknown) => Schedule | null | undefined
  /** null: done. */
  remove: (eventId: string, secondsAgo: number | undefined) => Promise<RefusedAnswer | null>
  /** Says that an offline copy is shown. */
  noteCopy?: (asOf: string) => void
}

const name = 'schedule'
const nobodys: Schedule = { entries: [], feed_url: null, share_url: null, today: '', account_id: '' }
/** Other accounts whose intents wait here for their next login. */
const othersMost = 4

export const entryIn = ({ entries }: Schedule, eventId: string) =>
  entries.find(({ event }) => event.event_id === eventId)

const without = (schedule: Schedule, eventId: string): Schedule => ({
  ...schedule,
  entries: schedule.entries.filter(({ event }) => event.event_id !== eventId),
})

function withEntry(schedule: Schedule, entry: ScheduleEntry): Schedule {
  const { entries } = without(schedule, entry.event.event_id)
  return { ...schedule, entries: [...entries, entry].toSorted((a, b) => inOrder(a.event, b.event)) }
}

/** What of `after` is not so in `before`. */
export const differing = (after: EntryFields, before: EntryFields): EntryFields =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof EntryFields]),
    ),
  )

/** Two changes of one event as one. The server compares the time of each field, so changes of different fields stay apart. */
function merge(earlier: Intent<EntryChange>, later: Intent<EntryChange>): Intent<EntryChange> | undefined {
  const [before, after] = [earlier.data, later.data]
  if (before.what === 'remove' || after.what === 'remove') return later
  if (Object.keys(before.fields).some((field) => !(field in after.fields))) return undefined
  const what = before.what === 'add' ? 'add' : after.what
  return { ...later, data: { ...after, what, event: before.event ?? after.event } }
}

function apply(schedule: Schedule, { subject, at, data }: Intent<EntryChange>): Schedule {
  if (data.what === 'remove') return without(schedule, subject)
  const known = entryIn(schedule, subject)
  if (known)
    return {
      ...schedule,
      entries: schedule.entries.map((each) => (each === known ? { ...each, ...data.fields } : each)),
    }
  if (!data.event) return schedule
  const tapped = new Date(at).toISOString()
  const plain = { priority: 'want' as const, note: null, reminders: [], created_at: tapped, updated_at: tapped }
  return withEntry(schedule, { ...plain, ...data.fields, entry_id: `local-${subject}`, event: data.event })
}

/** The schedule of the account that is here. `owner`: `user-…`, or null for who has none; `now`: ms since 1970 by this device. */
export function openSchedule(
  { outbox, copies, now = Date.now }: { outbox: Outbox; copies: Copies; now?: () => number },
  calls: ScheduleCalls,
  owner: () => string | null,
) {
  const isHere = (of: string) => owner() === of
  /** When the list was asked for last and not refused, and for whom. */
  let asked: { of: string; at: number } | null = null
  let refused: { of: string; answer: RefusedAnswer } | null = null
  let isStale = false
  let state: { of: readonly unknown[]; shown: ShownSchedule } | null = null
  const listeners = new Set<() => void>()

  function setRefused(of: string, answer: RefusedAnswer | null) {
    refused = answer && { of, answer }
    for (const hear of listeners) hear()
  }

  const room: Room<EntryChange, Schedule> = {
    name,
    owner,
    owners: () => [owner() ?? ''],
    empty: nobodys,
    ...(calls.read && { read: calls.read }),
    merge,
    apply,
    async send(intent) {
      const { subject, owner: of, data, at } = intent
      const ago = secondsSince(at, now())
      if (data.what === 'remove') {
        const no = await calls.remove(subject, ago)
        // removed already
        if (!no || no.status === 404) return 'done'
        return shouldRetry(no) ? 'later' : isRefused(no)
      }
      const { body, refused: no } = await calls.put(subject, data.fields, ago)
      if (no) return shouldRetry(no) ? 'later' : isRefused(no)
      if (isHere(of)) copies.change(of, name, (known: Schedule) => withEntry(known, body.entry), nobodys)
      if (body.overruled.length === 0) return 'done'
      const fields = Object.fromEntries(body.overruled.map((field) => [field, data.fields[field]]))
      outbox.update(intent, { ...intent, data: { ...data, fields } })
      return { refused: { code: 'overruled', error: '' } }
    },
    words({ refused: no, data: { what, title, fields } }): Words {
      const note = fields.note ?? null
      if (!no) return { key: `what.${what}`, values: { title }, text: note }
      if (no.code === 'schedule_changed_later') return { key: 'stays', values: { title } }
      if (no.code === 'overruled') return { key: 'later', values: { title, mine: textOf(fields) || '–' } }
      return { key: 'named', values: { title }, text: note }
    },
  }

  /** The list is asked for again: it may differ from what the server has. */
  function isRefused({ code, error }: RefusedAnswer) {
    isStale = true
    return { refused: { code, error } }
  }

  async function load(): Promise<void> {
    const of = owner()
    if (of === null) return
    asked = { of, at: now() }
    let no: RefusedAnswer | null = null
    const list = async () => {
      const answer = await calls.list()
      no = answer.refused
      return answer.body
    }
    const body = await copies.renew(of, name, list, () => isHere(of))
    if (!isHere(of)) return
    const answer = no as RefusedAnswer | null
    if (body || !answer) return setRefused(of, null)
    asked = null
    const copy = copies.get(of, name)
    // without an answer the offline copy is better than nothing
    if (!copy || !shouldRetry(answer)) return setRefused(of, answer)
    if (answer.status !== 401) calls.noteCopy?.(copy.asOf)
    // a copy that is no longer followed says so: what moves or is cancelled would be missed
    setRefused(of, answer.status === 401 ? answer : null)
  }

  async function send(): Promise<void> {
    const of = owner()
    if (of === null) return
    // a shared phone keeps the changes of a few accounts, not of all that ever logged in
    outbox.bound(of, othersMost)
    await outbox.send(room)
    if (!isStale) return
    isStale = false
    await load()
  }

  function change(event: { event_id: string; title: string }, data: Omit<EntryChange, 'title'>): void {
    const of = owner()
    const { event_id: subject, title } = event
    if (of !== null) outbox.add<EntryChange>({ room: name, owner: of, subject, data: { title, ...data } })
  }

  return {
    room,
    load,
    send,
    /** Asks for the list where it was not asked for yet, or so long ago, ms; then sends what waits. */
    renew: async (afterMs = Infinity): Promise<void> => {
      const of = owner()
      if (of === null || (asked?.of === of && now() - asked.at < afterMs)) return
      await load()
      await send()
    },
    /** Whether a list was asked for. */
    isAsked: () => asked !== null,
    /** The same object until something changes. */
    shown: (): ShownSchedule => {
      const of = owner() ?? ''
      const schedule = outbox.shown(room)
      const isKnown = copies.get(of, name) !== null || schedule.entries.length > 0
      const no = refused?.of === of ? refused.answer : null
      const key = [schedule, isKnown, no] as const
      if (!state?.of.every((each, n) => each === key[n])) {
        const { feed_url, share_url } = schedule
        state = { of: key, shown: { entries: isKnown ? schedule.entries : null, feed_url, share_url, refused: no } }
      }
      return state!.shown
    },
    /** `listed`: what lists show of it until the server has answered. */
    add: (event: { event_id: string; title: string }, listed: ListedEvent | undefined, fields: EntryFields) =>
      change(event, { what: 'add', fields, event: listed }),
    remove: (event: { event_id: string; title: string }) => change(event, { what: 'remove', fields: {} }),
    change: (event: { event_id: string; title: string }, fields: EntryFields) =>
      change(event, { what: 'change', fields }),
    /** Links that an answer of the server has brought. */
    setLinks: (links: { feed_url?: string | null; share_url?: string | null }): void => {
      const of = owner()
      if (of !== null) copies.change(of, name, (known: Schedule) => ({ ...known, ...links }), nobodys)
    },
    /** Calls `hear` when a list was refused, or is no more. @returns what ends it */
    follow(hear: () => void): () => void {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

export interface ShownSchedule {
  /** null: not answered yet. */
  entries: readonly ScheduleEntry[] | null
  feed_url: string | null
  share_url: string | null
  refused: RefusedAnswer | null
}

const textOf = (fields: EntryFields) =>
  Object.values(fields)
    .map((value) => (Array.isArray(value) ? value.join(', ') : (value ?? '')))
    .filter(Boolean)
    .join(', ')
