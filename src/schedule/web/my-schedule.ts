import { useEffect, useSyncExternalStore } from 'react'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentSession, followSession, useSession } from '../../kit/browser/session.ts'
import { keepPicks, picksMost, picksOf, type Pick } from '../../kit/browser/picks.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { ScheduleEntry } from '../contract.ts'
import { inOrder } from '../times.ts'
import { addToSchedule, changeEntry, importToSchedule, listSchedule, removeEntry } from './calls.ts'

/** What a button knows of an event. */
export interface SavedEvent {
  event_id: string
  title: string
  starts_at: string
  ends_at: string | null
  status: string
}

/** A guest's pick: what a list shows of it without a server. */
export interface EventPick extends Pick {
  title: string
  starts_at: string
  ends_at: string | null
}
export const eventPicks = 'events'

export interface MySchedule {
  /** null: not answered yet. */
  entries: readonly ScheduleEntry[] | null
  feed_url: string | null
  share_url: string | null
  today: string
  refused: RefusedAnswer | null
  /** Events whose saving or removing is on its way: they are shown as they will be. */
  pending: ReadonlyMap<string, 'adding' | 'removing'>
}

const empty: MySchedule = {
  entries: null,
  feed_url: null,
  share_url: null,
  today: '',
  refused: null,
  pending: new Map(),
}
let state = empty
let asked = false
const listeners = new Set<() => void>()

function set(more: Partial<MySchedule>) {
  state = { ...state, ...more }
  for (const tell of listeners) tell()
}

function follow(tell: () => void) {
  listeners.add(tell)
  // another person's schedule is not this one's
  const rest = followSession(() => {
    if (currentSession() === 'user' || state === empty) return
    asked = false
    set(empty)
  })
  return () => {
    listeners.delete(tell)
    rest()
  }
}

/** The schedule of who is logged in, asked for once and shared by all that shows of it. */
export function useMySchedule(): MySchedule {
  const session = useSession()
  useEffect(() => {
    if (session === 'user') void loadOnce()
  }, [session])
  return useSyncExternalStore(
    follow,
    () => state,
    () => empty,
  )
}

async function loadOnce() {
  if (asked) return
  asked = true
  await load()
}

/** Asks anew; what is there stays until the answer comes. */
export async function load(): Promise<void> {
  const { answer, refused } = await ask(callByFetch, listSchedule, { as: 'background' })
  if (currentSession() !== 'user') return
  if (refused) {
    asked = false
    return set({ refused })
  }
  set({ ...answer.body, refused: null })
}

export const entryOf = (eventId: string) => state.entries?.find(({ event }) => event.event_id === eventId)

const toPick = ({ event_id, title, starts_at, ends_at }: SavedEvent): EventPick => ({
  id: event_id,
  title,
  starts_at,
  ends_at,
})

/** Saves it on this phone. False when the phone keeps enough, or nothing. */
export function pick(event: SavedEvent): boolean {
  const others = picksOf<EventPick>(eventPicks).filter(({ id }) => id !== event.event_id)
  return others.length < picksMost && keepPicks(eventPicks, [...others, toPick(event)])
}
export function unpick(eventIds: readonly string[]): void {
  keepPicks(
    eventPicks,
    picksOf(eventPicks).filter(({ id }) => !eventIds.includes(id)),
  )
}

/** What an entry had beside its event, to bring it back as it was. */
export interface Beside {
  priority?: ScheduleEntry['priority']
  note?: string | null
  reminders?: number[]
}

/** Adds an event; `replaces` are ids of entries that leave for it. Shown at once; null: done. */
export async function add(
  eventId: string,
  beside: Beside & { replaces?: string[] } = {},
): Promise<RefusedAnswer | null> {
  const { replaces = [] } = beside
  const leaving = (state.entries ?? []).filter(({ entry_id }) => replaces.includes(entry_id))
  const ends = [...leaving.map(({ event }) => begin(event.event_id, 'removing')), begin(eventId, 'adding')]
  const { answer, refused } = await ask(callByFetch, addToSchedule, {
    body: { event_id: eventId, ...beside },
    as: 'action',
  })
  if (answer) {
    const gone = new Set([...replaces, answer.body.entry.entry_id])
    const others = (state.entries ?? []).filter(({ entry_id }) => !gone.has(entry_id))
    set({ entries: [...others, answer.body.entry].toSorted((a, b) => inOrder(a.event, b.event)) })
  }
  for (const end of ends) end()
  return refused
}

/** Shown at once; null: done, also where it had gone already. */
export async function remove(entry: ScheduleEntry): Promise<RefusedAnswer | null> {
  const end = begin(entry.event.event_id, 'removing')
  const { refused } = await ask(callByFetch, removeEntry, { params: { entry_id: entry.entry_id }, as: 'action' })
  const isGone = !refused || refused.status === 404
  if (isGone) set({ entries: (state.entries ?? []).filter(({ entry_id }) => entry_id !== entry.entry_id) })
  end()
  return isGone ? null : refused
}

/** Shown at once, and taken back where it is refused. */
export async function change(entry: ScheduleEntry, changed: Beside): Promise<RefusedAnswer | null> {
  replace({ ...entry, ...changed })
  const { answer, refused } = await ask(callByFetch, changeEntry, {
    params: { entry_id: entry.entry_id },
    body: changed,
    as: 'action',
  })
  replace(answer?.body ?? entry)
  return refused
}

function replace(entry: ScheduleEntry) {
  set({ entries: (state.entries ?? []).map((each) => (each.entry_id === entry.entry_id ? entry : each)) })
}

/** Brings events in at once: of a phone, or of a friend. */
export async function bringIn(eventIds: readonly string[], as: 'action' | 'background' = 'action') {
  const { answer, refused } = await ask(callByFetch, importToSchedule, { body: { event_ids: [...eventIds] }, as })
  if (answer && asked) await load()
  return { answer: answer?.body ?? null, refused }
}

export function setLinks(links: { feed_url?: string | null; share_url?: string | null }) {
  set(links)
}

function begin(eventId: string, what: 'adding' | 'removing'): () => void {
  set({ pending: new Map(state.pending).set(eventId, what) })
  return () => {
    const pending = new Map(state.pending)
    pending.delete(eventId)
    set({ pending })
  }
}
