import { useEffect, useSyncExternalStore } from 'react'
import { type ListedEvent, listEvents } from '../../events/contract.ts'
import { ask, readable } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { noteOfflineCopy, onReconnect } from '../../kit/browser/connection.ts'
import { staleAfterMs, onReturn, pushTapMessage } from '../../kit/browser/on-return.ts'
import { currentSession, followSession, useSession } from '../../accounts/web/session.ts'
import { addPicks, removePicks, type Pick } from '../../kit/browser/picks.ts'
import { secondsSince } from '../../kit/browser/seconds-since.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import {
  addToSchedule,
  changeEntry,
  importToSchedule,
  listSchedule,
  removeEntry,
  rotateFeed,
  type ScheduleEntry,
} from '../contract.ts'
import {
  merge,
  wished,
  wishes,
  withChange,
  withChanges,
  withoutOlderRemoval,
  type Beside,
  type Change,
  type Lost,
} from './changes.ts'
import { festivalDayAt } from '../times.ts'
import {
  keepSchedule,
  keepUnsent,
  isSomeAside,
  keptSchedule,
  unsentOf,
  type KeptSchedule,
  type Schedule,
} from './kept.ts'

export type { Beside } from './changes.ts'

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
export const eventPicks = 'schedule'

export interface MySchedule {
  /** null: not answered yet. */
  entries: readonly ScheduleEntry[] | null
  feed_url: string | null
  share_url: string | null
  refused: RefusedAnswer | null
  /** Events whose saving or removing is on its way: they are shown as they will be. */
  pending: ReadonlyMap<string, 'adding' | 'removing'>
  /** Wishes of this phone that another device or the server has overruled. */
  lost: readonly Lost[]
}

const empty: MySchedule = {
  entries: null,
  feed_url: null,
  share_url: null,
  refused: null,
  pending: new Map(),
  lost: [],
}
let state = empty
const never = -Infinity
/** When this page asked for the list last and was not refused, ms since 1970. */
let askedAt = never
/** What the server told last; what is shown is this with the changes that were not sent. */
let kept: KeptSchedule | null = null
/** How many changes the server has answered. */
let answered = 0
const listeners = new Set<() => void>()

function set(more: Partial<MySchedule>) {
  state = { ...state, ...more }
  for (const tell of listeners) tell()
}

let stopWatching: (() => void) | null = null
/** Tells of each change, also of what comes from elsewhere. @returns what ends it */
export function followSchedule(tell: () => void): () => void {
  listeners.add(tell)
  stopWatching ??= watch()
  return () => {
    listeners.delete(tell)
    if (listeners.size > 0) return
    stopWatching?.()
    stopWatching = null
  }
}

/** What comes from elsewhere, as long as something of the schedule is shown. */
function watch() {
  // another person's schedule is not this one's
  const rest = followSession(() => {
    if (currentSession() === 'user' || (state === empty && kept === null)) return
    askedAt = never
    kept = null
    set(empty)
  })
  const again = () => void renew(staleAfterMs)
  const backOnline = () => void renew(staleAfterMs).then(sendChanges)
  const elsewhere = ({ key }: StorageEvent) => {
    if (!kept) return
    if (key === 'mySchedule') takeFromOtherTab()
    else if (key?.startsWith('unsent')) show()
  }
  const stopReturning = onReturn(again)
  const fromWorker = ({ data }: MessageEvent) => data === pushTapMessage && void renew(0)
  const { serviceWorker } = navigator as Partial<Navigator>
  serviceWorker?.addEventListener('message', fromWorker)
  addEventListener('online', backOnline)
  // browsers tell only of their own network
  const stopWaiting = onReconnect(backOnline)
  addEventListener('storage', elsewhere)
  return () => {
    rest()
    stopReturning()
    serviceWorker?.removeEventListener('message', fromWorker)
    removeEventListener('online', backOnline)
    stopWaiting()
    removeEventListener('storage', elsewhere)
  }
}

/** Another tab has the newer list; an answer that this one still waits for may be older than that. */
function takeFromOtherTab() {
  const theirs = keptSchedule()
  if (!theirs) return
  answered++
  kept = theirs
  show()
}

/** The schedule of who is logged in, first as this phone has kept it; shared by all that shows of it. */
export function useMySchedule(): MySchedule {
  useLoaded()
  return useSyncExternalStore(
    followSchedule,
    () => state,
    () => empty,
  )
}

/** Whether an event is in the schedule of the account. While a change is being sent, as it will be after it. */
export function isInSchedule(eventId: string): boolean {
  const wanted = state.pending.get(eventId)
  return wanted ? wanted === 'adding' : entryOf(eventId) !== undefined
}

function useLoaded() {
  const session = useSession()
  useEffect(() => {
    if (session === 'user') void renew()
  }, [session])
}

/** Asks where this page has not asked yet, or so long ago; what this phone has kept is shown until the answer comes. */
export async function renew(afterMs = Infinity): Promise<void> {
  if (currentSession() !== 'user' || Date.now() - askedAt < afterMs) return
  if (askedAt === never) {
    kept = keptSchedule()
    if (kept) show()
  }
  await load()
  await sendChanges()
}

/** Asks anew; what is there stays until the answer comes. */
export async function load(): Promise<void> {
  const before = answered
  askedAt = Date.now()
  const { answer, refused } = await ask(callByFetch, listSchedule, { as: 'background' })
  if (currentSession() !== 'user') return
  if (answer) {
    // the list may be older than a change that was answered meanwhile
    if (before !== answered) return load()
    kept = keepSchedule(answer.body)
    return show({ refused: null })
  }
  askedAt = never
  kept ??= keptSchedule()
  // without an answer what this phone has kept is better than none
  if (kept && comesLater(refused)) {
    if (refused.status !== 401) noteOfflineCopy(kept.asOf)
    // a copy that is no longer followed says so: what moves or is cancelled would be missed
    return show({ refused: refused.status === 401 ? refused : null })
  }
  set({ refused })
}

/** What the server told, with what was not sent. */
function show(more: Partial<MySchedule> = {}) {
  const { schedule } = kept!
  const { changes, lost } = mine()
  set({ ...schedule, entries: withChanges(schedule.entries, changes), lost, ...more })
}

/** Changes of the account whose schedule is shown: those of another wait until they log in again. */
function mine() {
  // also on pages that show nothing of the schedule
  kept ??= currentSession() === 'user' ? keptSchedule() : null
  return unsentOf(kept?.schedule.account_id || null)
}

/** Puts the schedule as it is now, after an answer. */
function keepEntries(change: (entries: Schedule['entries']) => Schedule['entries']) {
  answered++
  kept = keepSchedule({ ...(kept?.schedule ?? nobodys), entries: change(kept?.schedule.entries ?? []) })
  show()
}
const nobodys: Schedule = { entries: [], feed_url: null, share_url: null, today: '', account_id: '' }

export const entryOf = (eventId: string) => state.entries?.find(({ event }) => event.event_id === eventId)

/** What was added without a network has another id once it is sent. */
const idOf = ({ event, entry_id }: ScheduleEntry) => entryOf(event.event_id)?.entry_id ?? entry_id
const isSame = (one: ScheduleEntry, other: ScheduleEntry) => one.event.event_id === other.event.event_id

export const savedEntries = (): readonly ScheduleEntry[] => state.entries ?? []

const toPick = ({ event_id, title, starts_at, ends_at }: SavedEvent): EventPick => ({
  id: event_id,
  title,
  starts_at,
  ends_at,
})

/** Saves it on this phone. False when the phone stores enough, or nothing. */
export const pick = (event: SavedEvent): boolean => addPicks(eventPicks, [toPick(event)])

export const unpick = (eventIds: readonly string[]): void => removePicks(eventPicks, eventIds)

/**
 * Adds an event; `replaces` are ids of entries that leave for it. Shown at once; null: done, or kept here to be sent when there
 * is a network again.
 */
export async function add(
  event: SavedEvent,
  { replaces = [], ...beside }: Beside & { replaces?: string[] } = {},
): Promise<RefusedAnswer | null> {
  const at = Date.now()
  const { event_id } = event
  const leaving = (state.entries ?? []).filter(({ entry_id }) => replaces.includes(entry_id))
  const ends = [...leaving.map((entry) => begin(entry.event.event_id, 'removing')), begin(event_id, 'adding')]
  const asking = askUnlessWaiting(() => {
    const others = replaces.filter((id) => !leaving.some(({ entry_id }) => entry_id === id))
    const body = { event_id, ...beside, replaces: [...others, ...leaving.map(idOf)] }
    return ask(callByFetch, addToSchedule, { body, as: 'action' })
  })
  const adding = asking.then(
    () => {},
    () => {},
  )
  additions.set(event_id, adding)
  const { answer, refused } = await asking
  if (answer) {
    const { entry } = answer.body
    const gone = [...leaving, entry]
    noteAnswered(event_id, at)
    keepEntries((entries) => [...entries.filter((each) => !gone.some((other) => isSame(each, other))), entry])
  } else if (isOffline(refused)) {
    for (const entry of leaving) later(entry.event, 'remove', at)
    later(event, 'add', at, wishes(beside, undefined, at))
  }
  if (additions.get(event_id) === adding) additions.delete(event_id)
  for (const end of ends) end()
  return isOffline(refused) ? null : refused
}

/** Those on their way, by event: who takes one back before its answer has nothing to remove yet. */
const additions = new Map<string, Promise<void>>()

/** Shown at once; null: done, also where it had gone already or was added again meanwhile, or to be sent later. */
export async function remove(entry: { event: SavedEvent; entry_id?: string }): Promise<RefusedAnswer | null> {
  const at = Date.now()
  const { event } = entry
  const end = begin(event.event_id, 'removing')
  const adding = additions.get(event.event_id)
  const own = latest.get(event.event_id)
  if (adding) await adding
  // a tap after this one wanted it again
  if (adding && latest.get(event.event_id) !== own) return null
  const entry_id = entryOf(event.event_id)?.entry_id ?? entry.entry_id
  // it was not added after all
  if (entry_id === undefined) {
    end()
    return null
  }
  const { refused } = await askUnlessWaiting(() =>
    ask(callByFetch, removeEntry, {
      params: { entry_id: entryOf(event.event_id)?.entry_id ?? entry_id },
      as: 'action',
    }),
  )
  const isGone = !refused || refused.status === 404
  if (isGone) keepEntries((entries) => entries.filter((each) => each.event.event_id !== event.event_id))
  else if (isOffline(refused)) later(event, 'remove', at)
  end()
  return isGone || isOffline(refused) ? null : refused
}

/** Shown at once, and taken back where it is refused; null: done, or to be sent later. */
export async function change(entry: ScheduleEntry, changed: Beside): Promise<RefusedAnswer | null> {
  const at = Date.now()
  const { event } = entry
  const shown = (as: ScheduleEntry) =>
    set({ entries: (state.entries ?? []).map((each) => (isSame(each, entry) ? as : each)) })
  shown({ ...entry, ...changed })
  const { answer, refused } = await askUnlessWaiting(() =>
    ask(callByFetch, changeEntry, { params: { entry_id: idOf(entry) }, body: changed, as: 'action' }),
  )
  if (answer) {
    noteAnswered(event.event_id, at)
    keepEntries((entries) => entries.map((each) => (isSame(each, entry) ? answer.body : each)))
  } else if (isOffline(refused)) later(event, 'change', at, wishes(changed, entry, at))
  else shown(entry)
  return isOffline(refused) ? null : refused
}

const offline: RefusedAnswer = { status: 0, code: 'offline', error: '' }
const isOffline = (refused: RefusedAnswer | null) => refused?.status === 0
const comesLater = ({ status }: RefusedAnswer) => status === 0 || status === 401 || status >= 429

/** While earlier changes wait, later ones queue up behind them, so that they arrive in order. */
async function askUnlessWaiting<Outcome>(send: () => Promise<Outcome>) {
  if (mine().changes.length > 0) {
    await sendChanges()
    if (mine().changes.length > 0) return { answer: null, refused: offline }
  }
  return send()
}

/** When the latest change of an event that was answered was tapped. */
const answeredAt = new Map<string, number>()

/** A removal that was tapped before it, and hangs or waits, must not undo it later. */
function noteAnswered(eventId: string, at: number) {
  answeredAt.set(eventId, at)
  const before = mine()
  const changes = withoutOlderRemoval(before.changes, eventId, at)
  if (changes.length < before.changes.length) keepUnsent({ ...before, changes })
}

/** Keeps a change until it can be sent; `at` is when it was tapped, which may be long before it failed. */
function later(event: SavedEvent, what: Change['what'], at: number, fields: Change['fields'] = {}) {
  const { event_id, title } = event
  if (what === 'remove' && (answeredAt.get(event_id) ?? never) > at) return
  const next: Change = {
    event_id,
    title,
    what,
    fields,
    at,
    ...(what === 'add' && { event: listed(event) }),
  }
  const before = mine()
  keepUnsent({ ...before, changes: withChange(before.changes, next) })
  kept ??= keepSchedule(nobodys)
  show()
}

/** What a list shows of an event, from as much as a button knows of it. */
function listed(event: SavedEvent & { festival_day?: string }): ListedEvent | undefined {
  const zone = document.documentElement.dataset['zone'] ?? 'Europe/Zurich'
  const festival_day = event.festival_day ?? festivalDayAt(zone, Date.parse(event.starts_at))
  return readable(listEvents).read([{ ...event, festival_day }])?.[0]
}

/** Changes that were not sent, to be named. */
export const unsentChanges = () =>
  mine().changes.map((each) => ({ ...each, note: typeof wished(each).note === 'string' ? wished(each).note : null }))

let sending: Promise<void> | null = null

/** Sends what waits, one after the other, and says what could not be followed. */
export function sendChanges(): Promise<void> {
  sending ??= alone(sendAll).finally(() => (sending = null))
  return sending
}

/** One tab at a time, where the browser can see to it; twice the same does no harm. */
async function alone(work: () => Promise<void>): Promise<void> {
  const { locks } = navigator as Partial<Navigator>
  await (locks ? locks.request('rheinklang-schedule', work) : work())
}

async function sendAll(): Promise<void> {
  if (currentSession() !== 'user') return
  // whose was put aside is known only once it is known who is here
  if (mine().changes.length === 0 && (kept !== null || !isSomeAside())) return
  const { answer } = await ask(callByFetch, listSchedule, { as: 'background' })
  if (!answer || currentSession() !== 'user') return
  kept = keepSchedule(answer.body)
  for (const each of mine().changes) {
    const entry = answer.body.entries.find(({ event }) => event.event_id === each.event_id) ?? null
    const { send, lost } = merge(each, entry)
    const refused = send && (await deliver(each, entry, send))
    if (refused && comesLater(refused)) break
    const { event_id, title } = each
    done(each, refused ? [{ event_id, title, why: 'refused', text: refused.error }] : lost)
  }
  await load()
}

async function deliver(
  { event_id, at }: Change,
  entry: ScheduleEntry | null,
  { what, beside }: NonNullable<ReturnType<typeof merge>['send']>,
): Promise<RefusedAnswer | null> {
  const as = 'background'
  const seconds_ago = secondsSince(at)
  if (what === 'add' || !entry)
    return (await ask(callByFetch, addToSchedule, { body: { event_id, ...beside, seconds_ago }, as })).refused
  const params = { entry_id: entry.entry_id }
  if (what === 'change') return (await ask(callByFetch, changeEntry, { params, body: beside, as })).refused
  const { refused } = await ask(callByFetch, removeEntry, { params, query: { seconds_ago }, as })
  return refused?.status === 404 ? null : refused
}

/** It is sent, unless it was changed once more meanwhile. */
function done(sent: Change, lost: Lost[]) {
  const before = mine()
  const isSent = (each: Change) => each.event_id === sent.event_id && each.at === sent.at
  keepUnsent({ ...before, changes: before.changes.filter((each) => !isSent(each)), lost: [...before.lost, ...lost] })
}

/** A wish that was overruled has been read. */
export function dismissLost() {
  keepUnsent({ ...mine(), lost: [] })
  set({ lost: [] })
}

/** Brings events in at once: of a phone, or of a friend. */
export async function bringIn(eventIds: readonly string[], as: 'action' | 'background' = 'action') {
  const { answer, refused } = await ask(callByFetch, importToSchedule, { body: { event_ids: [...eventIds] }, as })
  if (answer && askedAt !== never) await load()
  return { answer: answer?.body ?? null, refused }
}

/** The address that calendars follow: of another device where it has made one, which would end with a new one; else a new one. */
export async function startFeed(): Promise<RefusedAnswer | null> {
  const known = await ask(callByFetch, listSchedule, { as: 'action' })
  if (known.refused) return known.refused
  const feed_url = known.answer.body.feed_url
  if (feed_url === null) return rotateAddress()
  setLinks({ feed_url })
  return null
}

/** A new address; the one before ends. */
export async function rotateAddress(): Promise<RefusedAnswer | null> {
  const { answer, refused } = await ask(callByFetch, rotateFeed, { as: 'action' })
  if (answer) setLinks({ feed_url: answer.body.feed_url })
  return refused
}

export function setLinks(links: { feed_url?: string | null; share_url?: string | null }) {
  if (!kept) return set(links)
  kept = keepSchedule({ ...kept.schedule, ...links })
  show()
}

/** The latest change of each event that is on its way: an earlier one that ends leaves what it shows. */
const latest = new Map<string, object>()

function begin(eventId: string, what: 'adding' | 'removing'): () => void {
  const own = {}
  latest.set(eventId, own)
  set({ pending: new Map(state.pending).set(eventId, what) })
  return () => {
    if (latest.get(eventId) !== own) return
    latest.delete(eventId)
    const pending = new Map(state.pending)
    pending.delete(eventId)
    set({ pending })
  }
}
