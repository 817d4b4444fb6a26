import { z } from 'zod'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, readDemo, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { rappenFromChf } from '../../kit/shared/money.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import { createEvent, createStage, dayEndsAtHour, openEndMinutes } from '../contract.ts'
import { festivalDayOf } from '../server/festival-day.ts'
import { readDescription } from '../server/read-description.ts'

/** Invented stages on public squares of Basel; positions set by hand, within about 50 m. */
const demoStage = createStage
  .body!.safeExtend({ key: z.string(), venue_name: z.string(), latitude: z.number(), longitude: z.number() })
  .strict()

/** The body of `createEvent`, with times relative to the day on which the demo is filled. */
const demoEvent = createEvent
  .body!.omit({ starts_at: true, ends_at: true, stage_id: true, status: true })
  .extend({
    /** 1 is yesterday, 2 today, 3 tomorrow. */
    day: z.int().min(1).max(3),
    /** Before 06:00: in the night that follows the day. */
    time: z.string().regex(/^\d\d:\d\d$/),
    /** null: open end. */
    minutes: z.int().nullable(),
    /** Key of a stage. */
    stage: z.string(),
    is_cancelled: z.literal(true).optional(),
    delayed_minutes: z.int().default(0),
    previous_place: z.string().nullable().default(null),
  })
  .strict()
type DemoEvent = z.output<typeof demoEvent>

export const demoProgramme = () =>
  readDemo('events', z.strictObject({ stages: z.array(demoStage), events: z.array(demoEvent) }))

/** Fills the programme of yesterday, today and tomorrow. Ids are the same each time: they depend on names alone. */
export async function fillDemoEvents(trx: Sql, setting: DemoSetting): Promise<void> {
  const programme = demoProgramme()
  const at = setting.now.toString()
  const venueId = (name: string) => stableId(`venue ${name}`)
  const performerId = (name: string) => stableId(`performer ${name}`)
  const venues = programme.stages.map(({ key: _, stage: __, venue_name, ...venue }) => ({
    venue_id: venueId(venue_name),
    venue_name,
    ...venue,
    ...positionNear(setting.centre, venue),
    updated_at: at,
  }))
  const stages = programme.stages.map(({ key, stage, venue_name }, position) => ({
    stage_id: stageId(key),
    venue_id: venueId(venue_name),
    stage_name: stage,
    position,
  }))
  const performers = [...new Set(programme.events.flatMap((event) => event.performers))].map((name) => ({
    performer_id: performerId(name),
    performer_name: name,
  }))
  const appearances = programme.events.flatMap((event) =>
    event.performers.map((name, position) => ({
      event_id: eventId(event),
      performer_id: performerId(name),
      position,
    })),
  )
  await insertRows(trx, 'venues', venues)
  await insertRows(trx, 'stages', stages)
  await insertRows(trx, 'performers', performers)
  await insertRows(
    trx,
    'events',
    programme.events.map((event) => eventRow(event, setting)),
  )
  await insertRows(trx, 'event_performers', appearances)
}

const stageId = (key: string) => stableId(`stage ${key}`)
const eventId = ({ day, stage, title }: DemoEvent) => stableId(`event ${day - 1} ${stage} ${title}`)

function eventRow(event: DemoEvent, { now, zone }: DemoSetting) {
  const today = Temporal.PlainDate.from(festivalDayOf(now, zone))
  const day = today.add({ days: event.day - 2 })
  const time = Temporal.PlainTime.from(event.time)
  const date = time.hour < dayEndsAtHour ? day.add({ days: 1 }) : day
  const planned = date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant()
  const isDelayed = event.delayed_minutes > 0
  const starts = planned.add({ minutes: event.delayed_minutes })
  const ends = event.minutes === null ? null : starts.add({ minutes: event.minutes })
  const state = event.is_cancelled ? 'cancelled' : isDelayed ? 'delayed' : event.previous_place ? 'moved' : 'scheduled'
  return {
    event_id: eventId(event),
    title: event.title,
    category: event.category,
    state,
    starts_at: starts.toString(),
    ends_at: ends?.toString() ?? null,
    over_at: (ends ?? starts.add({ minutes: openEndMinutes })).toString(),
    festival_day: day.toString(),
    stage_id: stageId(event.stage),
    languages: event.languages,
    price_rappen: event.price_chf == null ? null : rappenFromChf(event.price_chf),
    ticket_url: null,
    age_min: event.age_min ?? null,
    family_friendly: event.family_friendly,
    previous_starts_at: isDelayed ? planned.toString() : null,
    previous_place: event.previous_place,
    saves: 0,
    sequence: state === 'scheduled' ? 0 : 1,
    description: event.description ?? null,
    content: event.description ? readDescription(event.description) : null,
    doc: '',
    created_at: now.toString(),
    updated_at: now.toString(),
  }
}
