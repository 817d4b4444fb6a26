import type { LoaderFunctionArgs } from 'react-router'
import { ask, askOrFail, pageContext } from '../../kit/browser/ask.ts'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { pack } from '../../kit/browser/packed.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import { getProgramme, listEvents, type ProgrammeDay } from '../contract.ts'
import { cardEvent, gridEvent, overAt, type CardEvent, type GridEvent } from './card-event.ts'
import { isOn, narrowing, queryNames, type EventQuery } from './event-query.ts'
import { hasEventsLeft } from './programme-parts.ts'

export interface EventLists {
  /** null: the list is shown. */
  grid: GridEvent[] | null
  /** `festival_day` where the list holds several days. */
  events: (CardEvent & { festival_day?: string })[]
}

/** Pages of a list that are skipped because all of their events are over. */
const overPagesMost = 5

/**
 * Loads the programme. With search words or filters, the list has all days of the festival and from today on; earlier days are a
 * list of their own. Otherwise it shows one day: the one asked for, else the first one with an event that is not over, else the
 * last one. The timetable always shows one day; with search words, the first one on which they are found.
 */
export async function loadEvents({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const asQueried = Object.fromEntries(
    queryNames.map((name) => [name, searchParams.get(name)?.trim() || undefined]),
  ) as EventQuery
  const { body: programme } = await askOrFail(context, getProgramme)
  const { zone } = context.get(pageContext).festival
  // an answer from the cache of the phone may be days old
  const now = (currentConnection().asOf === null && Date.parse(programme.now)) || serverTime()
  const { view, earlier, ...asked } = asQueried
  const days = programme.days.map(({ day }) => day)
  const lastEarlier = programme.days.find(({ is_earlier }) => is_earlier)?.day
  const isFirstFound = view === 'grid' && asked.q && !asked.day
  const isEveryDay = !asked.day && view !== 'grid' && narrowing.some((name) => asked[name])
  const wantedDay =
    isEveryDay || isFirstFound
      ? undefined
      : asked.day && (days.includes(asked.day) || programme.days_left_out > 0)
        ? asked.day
        : (programme.days.find((each) => hasEventsLeft(each, now, zone))?.day ?? days.toSorted().at(-1))
  const isEarlier = isEveryDay && lastEarlier !== undefined && isOn(earlier)
  const wanted = {
    ...asked,
    day: wantedDay,
    ...(isEveryDay ? { limit: '100' } : {}),
    ...(isEveryDay && lastEarlier ? (isEarlier ? { day_to: lastEarlier } : { day_from: dayAfter(lastEarlier) }) : {}),
    ...(isFirstFound ? { first_day: 'true' } : {}),
    // no limit for a day, which is answered whole
    after: searchParams.get('after') ?? undefined,
  }
  const [listed, before, need] = await Promise.all([
    listFromNow(context, wanted, now).catch(async (error: unknown) => {
      const stored = import.meta.env.SSR ? null : await storedAnswer(context, wanted, days)
      if (!stored) throw error
      return stored
    }),
    isEveryDay && lastEarlier && !isEarlier
      ? askForgivingly(context, listEvents, { ...asked, day_to: lastEarlier, limit: '1' }).catch(() => null)
      : null,
    asked.q && !wanted.after
      ? import('../../places/web/load-need.ts').then(
          ({ loadNeed }) => loadNeed(context, asked.q),
          () => null,
        )
      : null,
  ])
  // an event that goes on since an earlier day is found too
  const day = isFirstFound
    ? listed.answer.body
        .map(({ festival_day }) => festival_day)
        .toSorted()
        .at(-1)
    : wantedDay
  const isGrid = Boolean(view === 'grid' && day)
  const lists = {
    grid: isGrid ? listed.answer.body.map(gridEvent) : null,
    events: isGrid
      ? []
      : listed.answer.body.map((event) => ({
          ...cardEvent(event),
          ...(day ? {} : { festival_day: event.festival_day }),
        })),
  }
  const query: EventQuery = {}
  for (const name of queryNames)
    if (asQueried[name] !== undefined && !(name in listed.faults)) query[name] = asQueried[name]
  if (!isEarlier) delete query.earlier
  return {
    query,
    need,
    view: isGrid ? ('grid' as const) : ('list' as const),
    days: withDay(programme.days, day),
    daysLeftOut: programme.days_left_out,
    day: day ?? null,
    /** How many earlier events the filters find; null: none were counted, or they are shown. */
    earlier: before && (before.answer.total ?? before.answer.body.length),
    stages: programme.stages.map(({ stage_id, stage }) => ({ stage_id, stage })),
    categories: programme.categories,
    lists: pack<EventLists>(lists),
    total: listed.answer.total ?? listed.answer.body.length,
    next: listed.answer.next,
    faults: listed.faults,
  }
}

/** A page of the list; without a cursor the first page on which an event is not over. */
async function listFromNow(
  context: LoaderFunctionArgs['context'],
  wanted: Record<string, string | undefined>,
  now: number,
) {
  let listed = await askForgivingly(context, listEvents, wanted)
  for (let skipped = 0; skipped < overPagesMost && !wanted['after']; skipped++) {
    const { body, next } = listed.answer
    if (next === null || body.some((event) => overAt(event) > now)) break
    listed = await askForgivingly(context, listEvents, { ...wanted, after: next })
  }
  return listed
}

/** The answer from the days that the phone has stored; null: none are. */
async function storedAnswer(
  context: LoaderFunctionArgs['context'],
  { day, day_from: from, day_to: to, ...asked }: Record<string, string | undefined>,
  days: string[],
) {
  const answers = await Promise.all(
    days
      .filter((each) => (!day || each === day) && (!from || each >= from) && (!to || each <= to))
      .map((each) => ask(context, listEvents, { query: { day: each } })),
  )
  const stored = answers.flatMap(({ answer }) => answer?.body ?? [])
  if (stored.length === 0) return null
  const { searchStoredEvents } = await import('../stored-search.ts')
  const body = searchStoredEvents(stored, { ...asked, free: isOn(asked['free']), family: isOn(asked['family']) })
  return { answer: { body, total: body.length, next: null }, query: asked, faults: {} }
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The days with the shown one, which is missing where the programme has too many days to list. */
function withDay(days: ProgrammeDay[], shown: string | undefined): ProgrammeDay[] {
  if (shown === undefined || days.some(({ day }) => day === shown)) return days
  return [{ day: shown, events: 0, is_earlier: false, over_at: null }, ...days]
}
