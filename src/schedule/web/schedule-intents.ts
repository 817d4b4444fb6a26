import type { ListedEvent } from '../../events/contract.ts'
import type { Copies } from '../../kit/browser/copies.ts'
import { waitsInOutbox, type Intent, type Outbox, type IntentKind, type Words } from '../../kit/browser/outbox.ts'
import { scheduleOutbox } from '../../kit/browser/picks.ts'
import { secondsSince } from '../../kit/browser/seconds-since.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { addToSchedule, listSchedule, ScheduleEntry, settableFields } from '../contract.ts'
import { inOrder } from '../times.ts'

/** The fields of an entry that its owner sets or changes. */
export type EntryEdit = Partial<Pick<ScheduleEntry, (typeof settableFields)[number]>>

/** An intent's data; its subject is the id of the event. */
export interface EntryChange {
  what: 'add' | 'remove' | 'change'
  title: string
  fields: EntryEdit
  /** For an addition: the event as the list shows it until the answer. */
  event?: ListedEvent | undefined
}

export type Schedule = AnswerBody<typeof listSchedule>
type Addition = Pick<AnswerBody<typeof addToSchedule>, 'entry' | 'overruled'>

/** The requests. */
export interface ScheduleCalls {
  list: () => Promise<{ body: Schedule; refused: null } | { body: null; refused: RefusedAnswer }>
  /** Adds the event, or changes its fields. */
  put: (
    eventId: string,
    fields: EntryEdit,
    secondsAgo: number | undefined,
  ) => Promise<{ body: Addition; refused: null } | { body: null; refused: RefusedAnswer }>
  read?: (stored: unknown) => Schedule | null | undefined
  /** null: done. */
  remove: (eventId: string, secondsAgo: number | undefined) => Promise<RefusedAnswer | null>
  /** Called when an offline copy is shown instead of an answer. */
  noteCopy?: (asOf: string) => void
}

const name = scheduleOutbox
const emptySchedule: Schedule = { entries: [], feed_url: null, share_url: null, today: '', account_id: '' }
/** Number of other accounts whose intents wait here for their next login. */
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

/** The fields of `after` that differ from `before`. */
export const differing = (after: EntryEdit, before: EntryEdit): EntryEdit =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof EntryEdit]),
    ),
  )

/** Merges two changes of an event. Changes of different fields stay apart, because the server compares the time of each field. */
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

/** The schedule of the account in this browser. `owner`: `user-…`; null: no account. `now`: ms since 1970 by this device. */
export function openSchedule(
  { outbox, copies, now = Date.now }: { outbox: Outbox; copies: Copies; now?: () => number },
  calls: ScheduleCalls,
  owner: () => string | null,
) {
  const isHere = (of: string) => owner() === of
  /** Owner and time of the last request for the list that was not refused. */
  let asked: { of: string; at: number } | null = null
  let refused: { of: string; answer: RefusedAnswer } | null = null
  let isStale = false
  let state: { of: readonly unknown[]; shown: ShownSchedule } | null = null
  const listeners = new Set<() => void>()

  function setRefused(of: string, answer: RefusedAnswer | null) {
    refused = answer && { of, answer }
    for (const hear of listeners) hear()
  }

  const intents: IntentKind<EntryChange, Schedule> = {
    name,
    owner,
    owners: () => [owner() ?? ''],
    empty: emptySchedule,
    ...(calls.read && { read: calls.read }),
    merge,
    apply,
    async send(intent) {
      const { subject, owner: of, data, at } = intent
      const ago = secondsSince(at, now())
      if (data.what === 'remove') {
        const no = await calls.remove(subject, ago)
        // 404: removed already
        if (!no || no.status === 404) return 'done'
        return waitsInOutbox(no) ? 'later' : isRefused(no)
      }
      const { body, refused: no } = await calls.put(subject, data.fields, ago)
      if (no) return waitsInOutbox(no) ? 'later' : isRefused(no)
      if (isHere(of)) copies.change(of, name, (known: Schedule) => withEntry(known, body.entry), emptySchedule)
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

  /** Also has the list loaded again, because it may differ from the server's. */
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
    // without an answer, show the offline copy
    if (!copy || !waitsInOutbox(answer)) return setRefused(of, answer)
    if (answer.status !== 401) calls.noteCopy?.(copy.asOf)
    // after a 401 the copy gets no updates: say so, else moved and cancelled events would be missed
    setRefused(of, answer.status === 401 ? answer : null)
  }

  async function send(): Promise<void> {
    const of = owner()
    if (of === null) return
    // a shared phone stores changes of a few accounts, not of all that ever logged in
    outbox.bound(of, othersMost)
    await outbox.send(intents)
    if (!isStale) return
    isStale = false
    await load()
  }

  function change(event: { event_id: string; title: string }, data: Omit<EntryChange, 'title'>): void {
    const of = owner()
    const { event_id: subject, title } = event
    if (of !== null) outbox.add<EntryChange>({ kind: name, owner: of, subject, data: { title, ...data } })
  }

  return {
    intents,
    load,
    send,
    /** Loads the list if that was not done in the last `afterMs`; then sends unsent changes. */
    renew: async (afterMs = Infinity): Promise<void> => {
      const of = owner()
      if (of === null || (asked?.of === of && now() - asked.at < afterMs)) return
      await load()
      await send()
    },
    /** True: the list was requested. */
    isAsked: () => asked !== null,
    /** The same object until something changes. */
    shown: (): ShownSchedule => {
      const of = owner() ?? ''
      const schedule = outbox.shown(intents)
      const isKnown = copies.get(of, name) !== null || schedule.entries.length > 0
      const no = refused?.of === of ? refused.answer : null
      const key = [schedule, isKnown, no] as const
      if (!state?.of.every((each, n) => each === key[n])) {
        const { feed_url, share_url } = schedule
        state = { of: key, shown: { entries: isKnown ? schedule.entries : null, feed_url, share_url, refused: no } }
      }
      return state!.shown
    },
    /** `listed`: the event as lists show it until the answer. */
    add: (event: { event_id: string; title: string }, listed: ListedEvent | undefined, fields: EntryEdit) =>
      change(event, { what: 'add', fields, event: listed }),
    remove: (event: { event_id: string; title: string }) => change(event, { what: 'remove', fields: {} }),
    change: (event: { event_id: string; title: string }, fields: EntryEdit) =>
      change(event, { what: 'change', fields }),
    /** Stores links of an answer in the offline copy. */
    setLinks: (links: { feed_url?: string | null; share_url?: string | null }): void => {
      const of = owner()
      if (of !== null) copies.change(of, name, (known: Schedule) => ({ ...known, ...links }), emptySchedule)
    },
    /** Calls `hear` when a list is refused, and when one is accepted again. @returns stops it */
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

const textOf = (fields: EntryEdit) =>
  Object.values(fields)
    .map((value) => (Array.isArray(value) ? value.join(', ') : (value ?? '')))
    .filter(Boolean)
    .join(', ')
