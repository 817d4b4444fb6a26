import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId } from '../../kit/server/demo-rows.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import { dayEndsAtHour, openEndMinutes } from '../contract.ts'
import { festivalDayOf } from '../server/festival-day.ts'
import { demoDays, type DemoEvent } from './events.ts'
import { demoStages } from './places.ts'

/** The moment around which the three days of the demo lie, and where the festival takes place. */
interface Festival {
  now: Temporal.Instant
  zone: string
  centre: Position
}

/** Fills the programme of `events.ts` in: yesterday, today and tomorrow. Ids depend on names alone. */
export async function fillDemoEvents(trx: Sql, festival: Festival): Promise<void> {
  const { venues, stages, performers, events, appearances } = eventRows(festival)
  await insertRows(trx, 'venues', venues)
  await insertRows(trx, 'stages', stages)
  await insertRows(trx, 'performers', performers)
  await insertRows(trx, 'events', events)
  await insertRows(trx, 'event_performers', appearances)
}

export function eventRows({ now, zone, centre }: Festival) {
  const at = now.toString()
  const today = Temporal.PlainDate.from(festivalDayOf(now, zone))
  const planned = demoDays.flatMap((day, index) =>
    Object.entries(day).flatMap(([stage, events]) =>
      events.map((event) => ({ event, stage, day: today.add({ days: index - 1 }), index })),
    ),
  )
  const names = [...new Set(planned.flatMap(({ event }) => event.who ?? []))]
  return {
    venues: demoStages.map((place) => ({
      venue_id: stableId(`venue ${place.venue}`),
      venue_name: place.venue,
      address: place.address,
      ...positionNear(centre, place.at),
      capacity: place.capacity,
      step_free: place.stepFree,
      quiet_area: place.quiet,
      updated_at: at,
    })),
    stages: demoStages.map((place, position) => ({
      stage_id: stableId(`stage ${place.key}`),
      venue_id: stableId(`venue ${place.venue}`),
      stage_name: place.stage,
      position,
    })),
    performers: names.map((name) => ({ performer_id: performerId(name), performer_name: name })),
    events: planned.map(({ event, stage, day, index }) => eventRow(event, stage, day, index, at, zone)),
    appearances: planned.flatMap(({ event, stage, index }) =>
      (event.who ?? []).map((name, position) => ({
        event_id: eventId(event, stage, index),
        performer_id: performerId(name),
        position,
      })),
    ),
  }
}

const performerId = (name: string) => stableId(`performer ${name}`)
const eventId = (event: DemoEvent, stage: string, index: number) => stableId(`event ${index} ${stage} ${event.title}`)

function eventRow(event: DemoEvent, stage: string, day: Temporal.PlainDate, index: number, at: string, zone: string) {
  const time = Temporal.PlainTime.from(event.at)
  const date = time.hour < dayEndsAtHour ? day.add({ days: 1 }) : day
  const planned = date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant()
  const change = typeof event.now === 'object' ? event.now : null
  const late = change && 'delayedBy' in change ? change.delayedBy : 0
  const starts = planned.add({ minutes: late })
  const ends = event.min === null ? null : starts.add({ minutes: event.min })
  return {
    event_id: eventId(event, stage, index),
    title: event.title,
    category: event.is ?? 'music',
    state: event.now === 'cancelled' ? 'cancelled' : change ? (late > 0 ? 'delayed' : 'moved') : 'scheduled',
    starts_at: starts.toString(),
    ends_at: ends?.toString() ?? null,
    over_at: (ends ?? starts.add({ minutes: openEndMinutes })).toString(),
    festival_day: day.toString(),
    stage_id: stableId(`stage ${stage}`),
    languages: event.in ?? ['de'],
    price_rappen: event.chf === undefined ? null : rappenFromChf(event.chf),
    ticket_url: null,
    age_min: event.age ?? null,
    family_friendly: event.family ?? false,
    previous_starts_at: late > 0 ? planned.toString() : null,
    previous_place: change && 'movedFrom' in change ? change.movedFrom : null,
    saves: 0,
    sequence: event.now ? 1 : 0,
    description: event.about ?? null,
    doc: '',
    created_at: at,
    updated_at: at,
  }
}
