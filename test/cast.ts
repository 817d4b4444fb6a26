import { sql } from 'kysely'
import { fillOpenings } from '../src/businesses/server/businesses.ts'
import { parseOpeningHours } from '../src/businesses/server/opening-hours.ts'
import { openEndMinutes } from '../src/events/contract.ts'
import { festivalDayOf, lastDayOf } from '../src/events/server/festival-day.ts'
import { readDescription } from '../src/events/server/read-description.ts'
import type { Database } from '../src/kit/server/database.ts'
import { newId } from '../src/kit/server/ids.ts'

/** The bridge Mittlere Brücke, the centre of the stories. */
export const bridge = { latitude: 47.5601, longitude: 7.5897 }

type Row = Record<string, unknown>

let seen = 0

/** Adds a business. Call `fillTown` to compute openings from its `open_hours`. */
export async function addBusiness(db: Database, business_name: string, more: Row = {}): Promise<string> {
  const business_id = newId()
  const row: Row = {
    business_id,
    business_name,
    slug: `${business_name.toLowerCase().replace(/\W+/g, '-')}-${seen++}`,
    latitude: bridge.latitude,
    longitude: bridge.longitude,
    created_at: new Date('2026-06-01T00:00:00Z'),
    updated_at: new Date('2026-06-01T00:00:00Z'),
    ...more,
  }
  if (typeof row['open_hours'] === 'string') {
    row['hours_known'] = parseOpeningHours(row['open_hours'], {
      ...bridge,
      canton: String(row['canton'] ?? 'BS'),
    }).known
  }
  await db
    .insertInto('businesses')
    .values(row as never)
    .execute()
  return business_id
}

/** Adds a deal, at the place of its business unless `latitude` is given. */
export async function addDeal(db: Database, business_id: string, deal_name: string, more: Row = {}): Promise<string> {
  const deal_id = newId()
  const place = await db
    .selectFrom('businesses')
    .select(['latitude', 'longitude'])
    .where('business_id', '=', business_id)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('deals')
    .values({
      deal_id,
      business_id,
      deal_name,
      ...place,
      created_at: new Date(Date.parse('2026-06-10T00:00:00Z') + seen++ * 1000),
      updated_at: new Date('2026-06-10T00:00:00Z'),
      ...more,
    } as never)
    .execute()
  return deal_id
}

/** Computes the openings of all businesses around `now`. */
export async function fillTown(app: { db: Database }, now: string) {
  await sql`update businesses set hours_filled_until = null`.execute(app.db)
  await fillOpenings({ db: app.db, clock: { now: () => Temporal.Instant.from(now) } })
}

/** The place `metres` east of the bridge. */
export function eastOfBridge(metres: number) {
  return {
    latitude: bridge.latitude,
    longitude: bridge.longitude + metres / (111_195 * Math.cos((bridge.latitude * Math.PI) / 180)),
  }
}

/** Adds a stage unless one of this name exists, at the bridge unless `latitude` is given. */
export async function addStage(db: Database, stage_name: string, more: Row = {}): Promise<string> {
  const found = await db.selectFrom('stages').select('stage_id').where('stage_name', '=', stage_name).executeTakeFirst()
  if (found) return found.stage_id
  const venue_id = newId()
  const venue = {
    venue_id,
    venue_name: `${stage_name} square`,
    ...bridge,
    updated_at: new Date('2026-06-01T00:00:00Z'),
  }
  await db
    .insertInto('venues')
    .values({ ...venue, ...more } as never)
    .execute()
  const stage_id = newId()
  await db.insertInto('stages').values({ stage_id, venue_id, stage_name, position: seen++ }).execute()
  return stage_id
}

/** Adds an event of one hour, on the stage "Rheinbühne" unless `stage_id` is given. */
export async function addEvent(db: Database, title: string, startsAt: string, more: Row = {}): Promise<string> {
  const event_id = newId()
  const start = Temporal.Instant.from(startsAt)
  const end = 'ends_at' in more ? more['ends_at'] : start.add({ hours: 1 }).toString()
  const row: Row = {
    event_id,
    title,
    starts_at: start.toString(),
    ends_at: end,
    over_at: end ?? start.add({ minutes: openEndMinutes }).toString(),
    festival_day: festivalDayOf(start, 'Europe/Zurich'),
    created_at: new Date('2026-06-01T00:00:00Z'),
    updated_at: new Date('2026-06-01T00:00:00Z'),
    ...more,
  }
  const { over_at, all_day = false } = row
  row['last_day'] ??= lastDayOf(
    { starts_at: startsAt, over_at: String(over_at), all_day: all_day === true },
    'Europe/Zurich',
  )
  // the form in which the room stores it
  if (typeof row['description'] === 'string') row['content'] ??= JSON.stringify(readDescription(row['description']))
  row['stage_id'] ??= 'stage_id' in more ? null : await addStage(db, 'Rheinbühne')
  await db
    .insertInto('events')
    .values(row as never)
    .execute()
  return event_id
}

/** Adds performers to an event, in this order. A performer of an existing name is reused. */
export async function addPerformers(db: Database, event_id: string, ...names: string[]): Promise<void> {
  for (const [position, performer_name] of names.entries()) {
    const known = await db
      .selectFrom('performers')
      .select('performer_id')
      .where('performer_name', '=', performer_name)
      .executeTakeFirst()
    const performer_id = known?.performer_id ?? newId()
    if (!known) await db.insertInto('performers').values({ performer_id, performer_name }).execute()
    await db.insertInto('event_performers').values({ event_id, performer_id, position }).execute()
  }
}
