import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Outside } from '../../kit/server/outside.ts'
import { pageByTime, type Page } from '../../kit/server/page.ts'
import type { Texts } from '../../kit/server/serve-endpoint.ts'
import type { FileStore } from '../../kit/server/uploads.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, isUuid } from '../../kit/shared/input.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { pickedOf, plainOf } from '../../kit/shared/thing.ts'
import type { NotificationRoom } from '../../notifications/server/notifications.ts'
import {
  eventNotFound,
  daysShown,
  wholeDayLimit,
  type Event,
  type getEventNeighbours,
  type getProgramme,
  type ListedEvent,
  type listEvents as listEventsEndpoint,
  type listNowNext as listNowNextEndpoint,
  type ShownEvent,
} from '../contract.ts'
import { eventFields, listedFields } from '../event.ts'
import { isPublic, publicSaves } from '../policy.ts'
import { daysByInterest, editionAt, festivalDayOf, type FestivalDays } from './festival-day.ts'
import * as store from './store.ts'

/** How many people have saved any of these events; answered by the room schedule. */
export type CountSavers = (db: Sql, eventIds: readonly string[]) => Promise<number>

export interface EventRoom {
  db: Database
  clock: Clock
  /** Zone of the festival's clocks, e.g. Europe/Zurich. */
  zone: string
  /** The festival's name, e.g. Rheinklang. */
  name: string
  /** Where a search looks that names no place. */
  centre: Position
  jobs: Pick<Jobs, 'enqueue'>
  /** Holds pictures. */
  files: FileStore
  texts: Texts
  countSavers: CountSavers
  /** Festival days set by the operator; null: they follow from the programme. */
  days: FestivalDays | null
  complain: Complain
  /** Fetches programmes from addresses. */
  outside: Outside
  notifications: NotificationRoom
}

type ListQuery = CheckedInput<typeof listEventsEndpoint>['query']
type FilterQuery = Partial<Omit<ListQuery, 'limit' | 'offset' | 'after' | 'first_day'>>

/** A page of the programme in order of time. A day or a list of ids without a limit is answered whole, at most `wholeDayLimit`. */
export async function listEvents(room: EventRoom, query: ListQuery): Promise<Page<ListedEvent>> {
  const { db, clock } = room
  const now = clock.now()
  const all = filtersOf(query, asDate(now))
  const first = query.first_day
    ? await store.firstDayWith(db, all, { now: asDate(now), today: festivalDayOf(now, room.zone) })
    : null
  const filters = first ? { ...all, day: first } : all
  const limit = query.limit ?? (filters.day || query.ids ? wholeDayLimit : defaultPageSize)
  let whole: number | null = null
  return pageByTime(
    { ...query, limit },
    {
      list: async (stretch) => {
        const rows = await store.listEvents(db, filters, stretch)
        if (!stretch.after && stretch.offset === 0 && rows.length <= limit) whole = rows.length
        return rows
      },
      // a list that fits on one page is not counted again
      count: async (cap) => whole ?? store.countEvents(db, filters, cap),
      placeOf: ({ starts_at, event_id }) => [starts_at, event_id],
    },
    (rows) => rows.map((row) => listedAnswer(row, now)),
  )
}

/** The query as filters of the store; an id that is no UUID finds nothing. */
export function filtersOf(query: FilterQuery, now: Date): store.Filters {
  const stage = query.stage ?? null
  const venue = query.venue ?? null
  const isUnknown = [stage, venue].some((id) => id !== null && !isUuid(id))
  const from = query.from === undefined ? null : new Date(query.from)
  const to = query.to === undefined ? null : new Date(query.to)
  return {
    day: query.day ?? null,
    dayFrom: query.day_from ?? null,
    dayTo: query.day_to ?? null,
    category: query.category ?? null,
    stage: isUnknown ? null : stage,
    venue: isUnknown ? null : venue,
    q: query.q?.trim() || null,
    free: query.free ?? false,
    family: query.family ?? false,
    from: (query.now || query.upcoming) && (!from || from < now) ? now : from,
    to: query.now && (!to || to > now) ? new Date(now.getTime() + 1) : to,
    upcoming: (query.upcoming || query.not_begun) ?? false,
    beginsAfter: query.not_begun ? now : null,
    ids: isUnknown ? [] : (query.ids ?? null),
  }
}

/** One published event. @throws `event_not_found`, also for drafts */
export async function findEvent({ db, clock }: EventRoom, eventId: string): Promise<ShownEvent> {
  const row = await publicRow(db, eventId)
  return { ...eventAnswer(row, clock.now()), content: row.content }
}

/** @throws `event_not_found` */
export async function findNeighbours(
  { db, clock }: EventRoom,
  eventId: string,
): Promise<AnswerBody<typeof getEventNeighbours>> {
  const row = await publicRow(db, eventId)
  const now = clock.now()
  const [previous, next, parallel, sets] = await Promise.all([
    row.stage_id === null ? undefined : store.findOnStage(db, row, 'previous'),
    row.stage_id === null ? undefined : store.findOnStage(db, row, 'next'),
    store.listParallel(db, row, 12),
    store.listSets(db, row, 12),
  ])
  return {
    previous: previous ? listedAnswer(previous, now) : null,
    next: next ? listedAnswer(next, now) : null,
    parallel: parallel.map((each) => listedAnswer(each, now)),
    sets: sets.map((each) => listedAnswer(each, now)),
  }
}

async function publicRow(db: Sql, eventId: string): Promise<store.ShownEventRow> {
  const row = isUuid(eventId) ? await store.findEvent(db, eventId) : undefined
  if (!row || !isPublic(row)) throw new Refusal(eventNotFound)
  return row
}

export async function findProgramme(room: EventRoom): Promise<AnswerBody<typeof getProgramme>> {
  const { db, clock, zone } = room
  const now = clock.now()
  const [{ days, leftOut }, stages, categories] = await Promise.all([
    wantedDays(room, daysShown),
    store.listStages(db, wholeDayLimit),
    store.listCategories(db),
  ])
  return {
    days: days.map(({ day, events, is_earlier, over_at }) => ({ day, events, is_earlier, over_at })),
    days_left_out: leftOut,
    stages,
    categories,
    today: festivalDayOf(now, zone),
    now: now.toString({ smallestUnit: 'millisecond' }),
  }
}

/** Ten years of a venue that is open every day. */
const daysMost = 3660

async function wantedDays({ db, clock, zone, days }: EventRoom, most: number) {
  const today = festivalDayOf(clock.now(), zone)
  return daysByInterest(await store.listDays(db, daysMost), { today, festival: days, most })
}

/** First and last day of the edition that is on, else of the next, else of the last; null: no events yet. */
export async function festivalDays({
  db,
  clock,
  zone,
}: Pick<EventRoom, 'db' | 'clock' | 'zone'>): Promise<FestivalDays | null> {
  const days = await store.listDays(db, daysMost)
  return editionAt(days, festivalDayOf(clock.now(), zone))
}

/** For the sitemap. */
export const { listEventPages } = store

/** What every stage plays now, and next within twelve hours; stages with neither are left out. */
export async function listNowNext({ db, clock }: EventRoom): Promise<AnswerBody<typeof listNowNextEndpoint>> {
  const now = clock.now()
  const near = await store.listNowNext(db, asDate(now), asDate(now.add({ hours: 12 })))
  const [stages, of] = await Promise.all([store.listStages(db, wholeDayLimit), nearAnswers(db, now, near)])
  return stages
    .map((stage) => ({ stage, now: of(stage.stage_id, 'now'), next: of(stage.stage_id, 'next') }))
    .filter((each) => each.now || each.next)
}

/** Finds the answer for the event that runs at a stage or venue, or comes next there. */
export async function nearAnswers(db: Sql, now: Temporal.Instant, near: readonly store.NearEvent[]) {
  const rows = await store.findEvents(
    db,
    near.map(({ event_id }) => event_id),
  )
  const events = new Map(rows.map((row) => [row.event_id, listedAnswer(row, now)]))
  return (placeId: string, which: store.NearEvent['which']): ListedEvent | null => {
    const found = near.find((each) => each.place_id === placeId && each.which === which)
    return events.get(found?.event_id ?? '') ?? null
  }
}

/**
 * For the rooms above: published events by id, in order of time, cancelled and ended ones included. Unknown ids are left out.
 * Ask for a few hundred at most.
 */
export async function eventsByIds(db: Sql, now: Temporal.Instant, eventIds: readonly string[]): Promise<ListedEvent[]> {
  const ids = eventIds.filter(isUuid)
  if (ids.length === 0) return []
  return (await store.findEvents(db, ids)).map((row) => listedAnswer(row, now))
}

/** For calendars of the rooms above: events that were published and are deleted. */
export const { deletedByIds } = store
export type { DeletedEvent } from './store.ts'

/** For the rooms above: performers by id, each with the event that is on or next, else the last one. */
export async function performersByIds({ db, clock }: Pick<EventRoom, 'db' | 'clock'>, performerIds: readonly string[]) {
  const ids = performerIds.filter(isUuid)
  return ids.length === 0 ? [] : store.findPerformers(db, ids, asDate(clock.now()))
}

export const listedAnswer = (row: store.EventRow, now: Temporal.Instant): ListedEvent => ({
  ...pickedOf(row, plainListed),
  ...workedAnswer(row, now),
})
const plainListed = plainOf(listedFields)

export const eventAnswer = (row: store.WholeEventRow, now: Temporal.Instant): Event => ({
  ...pickedOf(row, plainFields),
  ...workedAnswer(row, now),
})
const plainFields = plainOf(eventFields)

/** Fields that answers give in another form than the row. */
function workedAnswer(row: store.EventRow, now: Temporal.Instant) {
  const { state, stage, venue, performers, price_rappen, previous_starts_at, previous_place, saves } = row
  const isOver = Date.parse(row.over_at) <= now.epochMilliseconds
  const hasMoved = previous_starts_at !== null || previous_place !== null
  return {
    status: isOver && state !== 'cancelled' && state !== 'draft' ? ('ended' as const) : state,
    stage,
    venue,
    performers,
    price_chf: price_rappen === null ? null : chfFromRappen(price_rappen),
    previous: hasMoved ? { starts_at: previous_starts_at, venue: previous_place } : null,
    saves: publicSaves(saves),
  }
}
