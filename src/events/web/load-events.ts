import type { LoaderFunctionArgs } from 'react-router'
import { ask, askOrFail, pageContext } from '../../kit/browser/ask.ts'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { pack } from '../../kit/browser/packed.ts'
import { nightEndsMinute, wallIn } from '../../kit/shared/calendar.ts'
import { getProgramme, listEvents, listNowNext } from '../contract.ts'
import { cardEvent, gridEvent, lineEvent, type CardEvent, type GridEvent } from './card-event.ts'
import type { StageNow } from './NowNext.tsx'
import { isOn, narrowing, queryNames, type EventQuery } from './event-query.ts'

export interface EventLists {
  /** null: the list is shown. */
  grid: GridEvent[] | null
  /** `festival_day` where the list holds several days. */
  events: (CardEvent & { festival_day?: string })[]
  nowNext: StageNow[]
}

/** Today's festival day: of the server, unless the programme comes from the cache of the phone, whose day may be past. */
const todayOf = (serverDay: string, zone: string) =>
  currentConnection().asOf === null ? serverDay : wallIn(zone, Date.now() - nightEndsMinute * 60_000).isoDay

/**
 * Loads the programme. With search words or filters, the list has all days of the festival and from today on; earlier days are a
 * list of their own. Otherwise it shows one day: the one asked for, else today, the next or the last one. The timetable always
 * shows one day; with search words, the first one on which they are found.
 */
export async function loadEvents({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const asQueried = Object.fromEntries(
    queryNames.map((name) => [name, searchParams.get(name)?.trim() || undefined]),
  ) as EventQuery
  const { body: programme } = await askOrFail(context, getProgramme)
  const today = todayOf(programme.today, context.get(pageContext).festival.zone)
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
        : (days.find((each) => each >= today) ?? days.toSorted().at(-1))
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
  const isToday = wantedDay === today
  const [listed, nowNext, before] = await Promise.all([
    askForgivingly(context, listEvents, wanted),
    isToday && !narrowing.some((name) => asked[name]) ? ask(context, listNowNext) : null,
    isEveryDay && lastEarlier && !isEarlier
      ? askForgivingly(context, listEvents, { ...asked, day_to: lastEarlier, limit: '1' })
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
    nowNext: (nowNext?.answer?.body ?? []).map(({ stage, now, next }) => ({
      stage_id: stage.stage_id,
      stage: stage.stage,
      now: now && lineEvent(now),
      next: next && lineEvent(next),
    })),
  }
  const query: EventQuery = {}
  for (const name of queryNames)
    if (asQueried[name] !== undefined && !(name in listed.faults)) query[name] = asQueried[name]
  if (!isEarlier) delete query.earlier
  return {
    query,
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

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The days with the shown one, which is missing where the programme has too many days to list. */
function withDay<Day extends { day: string; events: number; is_earlier: boolean }>(
  days: Day[],
  shown: string | undefined,
) {
  if (shown === undefined || days.some(({ day }) => day === shown)) return days
  return [{ day: shown, events: 0, is_earlier: false }, ...days]
}
