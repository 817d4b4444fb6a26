import { useEffect } from 'react'
import { type ListedEvent, listEvents } from '../../events/contract.ts'
import { ask, readable } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { noteOfflineCopy, onReconnect } from '../../kit/browser/connection.ts'
import { copies } from '../../kit/browser/copies.ts'
import { staleAfterMs, onReturn, pushTapMessage } from '../../kit/browser/on-return.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { addPicks, removePicks, scheduleOutbox, type Pick as PickedThing } from '../../kit/browser/picks.ts'
import { followOutbox, useOutbox } from '../../kit/browser/use-outbox.ts'
import { currentSession, followSession, ownerHere, useSession } from '../../accounts/web/session.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import {
  addToSchedule,
  importToSchedule,
  listSchedule,
  removeEvent,
  rotateFeed,
  type ScheduleEntry,
} from '../contract.ts'
import { festivalDayAt } from '../times.ts'
import { moveOldSchedule } from './old-schedule.ts'
import { openSchedule, type EntryEdit, type ShownSchedule } from './schedule-intents.ts'

/** An event as save buttons know it. */
export interface SavedEvent {
  event_id: string
  title: string
  starts_at: string
  ends_at: string | null
  all_day?: boolean
  status: string
  /** Of its stage; missing: unknown. */
  place?: Position
}

type NamedEvent = Pick<SavedEvent, 'event_id' | 'title'>

/** A guest's pick, with the fields that a list shows offline. */
export interface EventPick extends PickedThing {
  title: string
  starts_at: string
  ends_at: string | null
  /** Missing: false. */
  all_day?: boolean
  /** Of its stage; missing: unknown. */
  place?: Position
}

const as = 'background'

const schedule = openSchedule(
  { outbox, copies },
  {
    async list() {
      const { answer, refused } = await ask(callByFetch, listSchedule, { as })
      return answer ? { body: answer.body, refused } : { body: null, refused }
    },
    read: readable(listSchedule).read,
    async put(event_id, fields, seconds_ago) {
      const { answer, refused } = await ask(callByFetch, addToSchedule, {
        as,
        body: { event_id, ...fields, seconds_ago },
      })
      return answer ? { body: answer.body, refused } : { body: null, refused }
    },
    remove: async (event_id, seconds_ago) =>
      (await ask(callByFetch, removeEvent, { as, params: { event_id }, query: { seconds_ago } })).refused,
    noteCopy: noteOfflineCopy,
  },
  () => (currentSession() === 'user' ? ownerHere() : null),
)
export const scheduleIntents = schedule.intents

// before the first render
if (typeof document !== 'undefined') moveOldSchedule()

/** See `openSchedule`. */
export const { load, renew, setLinks } = schedule

/** Sends unsent changes, if the server can be reached. */
export const sendChanges = schedule.send

const nothing: ShownSchedule = { entries: null, feed_url: null, share_url: null, refused: null }
const ends = new Map<() => void, () => void>()
const watched: { end: (() => void) | null } = { end: null }

/** Calls `hear` after each change, also by other tabs and devices. @returns stops it */
export function followSchedule(hear: () => void): () => void {
  const leave = [followOutbox(hear), schedule.follow(hear), followSession(hear)]
  const end = () => {
    for (const each of leave) each()
    ends.delete(hear)
    if (ends.size > 0) return
    watched.end?.()
    watched.end = null
  }
  ends.set(hear, end)
  watched.end ??= watch()
  return end
}

/** Reloads the schedule on return, reconnection and taps on a push, while something shows it. */
function watch(): () => void {
  const again = () => void renew(staleAfterMs)
  const backOnline = () => void renew(staleAfterMs).then(sendChanges)
  const fromWorker = ({ data }: MessageEvent) => data === pushTapMessage && void renew(0)
  const { serviceWorker } = navigator as Partial<Navigator>
  serviceWorker?.addEventListener('message', fromWorker)
  addEventListener('online', backOnline)
  // the browser's `online` is not enough: the server may have been away
  const leave = [onReturn(again), onReconnect(backOnline)]
  return () => {
    for (const each of leave) each()
    serviceWorker?.removeEventListener('message', fromWorker)
    removeEventListener('online', backOnline)
  }
}

/** The schedule of the logged-in account: the offline copy first, then the answer. All components share it. */
export function useMySchedule(): ShownSchedule {
  const session = useSession()
  useEffect(() => {
    if (session === 'user') void renew()
  }, [session])
  return useOutbox(schedule.shown, nothing, followSchedule)
}

/** The entries of the offline copy with unsent changes, without a request; null: there is no copy. */
export const storedEntries = () => schedule.shown().entries

export const savedEntries = (): readonly ScheduleEntry[] => schedule.shown().entries ?? []

export const entryOf = (eventId: string) => savedEntries().find(({ event }) => event.event_id === eventId)

/** True: the event is in the schedule, unsent changes included. */
export const isInSchedule = (eventId: string): boolean => entryOf(eventId) !== undefined

const toPick = ({ event_id, title, starts_at, ends_at, all_day, place }: SavedEvent): EventPick => ({
  id: event_id,
  title,
  starts_at,
  ends_at,
  ...(all_day ? { all_day } : {}),
  ...(place ? { place } : {}),
})

/** Saves an event on this phone. False: too many picks, or no storage. */
export const pick = (event: SavedEvent): boolean => addPicks(scheduleOutbox, [toPick(event)])

export const unpick = (eventIds: readonly string[]): void => removePicks(scheduleOutbox, eventIds)

/** Adds an event, shown at once, and removes the entries that it replaces. Resolves once it is sent, or waits in the outbox. */
export function add(event: SavedEvent, fields: EntryEdit = {}, replaces: readonly ScheduleEntry[] = []): Promise<void> {
  for (const each of replaces) schedule.remove(each.event)
  schedule.add(event, listed(event), fields)
  return sendChanges()
}

export function remove(event: NamedEvent): Promise<void> {
  schedule.remove(event)
  return sendChanges()
}

export function change(event: NamedEvent, fields: EntryEdit): Promise<void> {
  schedule.change(event, fields)
  return sendChanges()
}

/** An event as lists need it, from the fields that a button knows. */
function listed(event: SavedEvent & { festival_day?: string }): ListedEvent | undefined {
  const zone = document.documentElement.dataset['zone'] ?? 'Europe/Zurich'
  const festival_day = event.festival_day ?? festivalDayAt(zone, Date.parse(event.starts_at))
  return readable(listEvents).read([{ last_day: festival_day, ...event, festival_day }])?.[0]
}

/** Imports events together: a guest's picks, or a friend's schedule. */
export async function bringIn(eventIds: readonly string[], as: 'action' | 'background' = 'action') {
  const { answer, refused } = await ask(callByFetch, importToSchedule, { body: { event_ids: [...eventIds] }, as })
  if (answer && schedule.isAsked()) await load()
  return { answer: answer?.body ?? null, refused }
}

/** Loads the address of the calendar feed, or makes one. An existing one is not replaced, because calendars would lose it. */
export async function startFeed(): Promise<RefusedAnswer | null> {
  const known = await ask(callByFetch, listSchedule, { as: 'action' })
  if (known.refused) return known.refused
  const feed_url = known.answer.body.feed_url
  if (feed_url === null) return rotateAddress()
  setLinks({ feed_url })
  return null
}

/** Replaces the address of the calendar feed; the old one stops working. */
export async function rotateAddress(): Promise<RefusedAnswer | null> {
  const { answer, refused } = await ask(callByFetch, rotateFeed, { as: 'action' })
  if (answer) setLinks({ feed_url: answer.body.feed_url })
  return refused
}
