import type { LoaderFunctionArgs } from 'react-router'
import { ask, askOrFail } from '../../kit/browser/asking.ts'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import type { ListedEvent } from '../contract.ts'
import { getProgramme, listEvents, listNowNext } from './calls.ts'
import { cardEvent, gridEvent } from './card-event.ts'
import { narrowing, queryNames, type EventQuery } from './event-query.ts'

/** Words are looked for in all days; without them a day is shown: the one asked for, today, the next one, or the last. */
export async function loadEvents({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const said = Object.fromEntries(
    queryNames.map((name) => [name, searchParams.get(name)?.trim() || undefined]),
  ) as EventQuery
  const { body: programme } = await askOrFail(context, getProgramme)
  const { view, ...asked } = said
  const days = programme.days.map(({ day }) => day)
  const isEveryDay = !asked.day && narrowing.some((name) => asked[name])
  const day = isEveryDay
    ? undefined
    : asked.day && days.includes(asked.day)
      ? asked.day
      : (days.find((each) => each >= programme.today) ?? days.at(-1))
  const wanted = {
    ...asked,
    day,
    ...(isEveryDay ? { limit: '100', after: searchParams.get('after') ?? undefined } : {}),
  }
  const isToday = day === programme.today
  const [listed, nowNext] = await Promise.all([
    askForgivingly(context, listEvents, wanted),
    isToday && !narrowing.some((name) => asked[name]) ? ask(context, listNowNext) : null,
  ])
  const isGrid = Boolean(view === 'grid' && day)
  // one object for each event: what is told twice is sent once
  const cards = new Map(
    (isGrid ? [] : listed.answer.body).map((event) => [
      event.event_id,
      { ...cardEvent(event), ...(day ? {} : { festival_day: event.festival_day }) },
    ]),
  )
  const card = (event: ListedEvent | null) => event && (cards.get(event.event_id) ?? cardEvent(event))
  const query: EventQuery = {}
  for (const name of queryNames) if (said[name] !== undefined && !(name in listed.faults)) query[name] = said[name]
  return {
    query,
    view: view === 'grid' ? ('grid' as const) : ('list' as const),
    days: programme.days,
    day: day ?? null,
    stages: programme.stages.map(({ stage_id, stage }) => ({ stage_id, stage })),
    categories: programme.categories,
    grid: isGrid ? listed.answer.body.map(gridEvent) : null,
    events: [...cards.values()],
    total: listed.answer.total ?? listed.answer.body.length,
    next: listed.answer.next,
    faults: listed.faults,
    nowNext: (nowNext?.answer?.body ?? []).map(({ stage, now, next }) => ({
      stage_id: stage.stage_id,
      stage: stage.stage,
      now: card(now),
      next: card(next),
    })),
  }
}

export type ShownEvents = Awaited<ReturnType<typeof loadEvents>>
