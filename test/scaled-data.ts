import { sql } from 'kysely'
import { openingsDaysAhead } from '../src/businesses/server/businesses.ts'
import { categories } from '../src/brand/categories.ts'
import type { Database, Sql } from '../src/kit/server/database.ts'
import type { Position } from '../src/kit/shared/geo.ts'
import { placeKinds, syllables, vocabulary } from './scaled-vocabulary.ts'

export interface Scale {
  /** Number of deals; there is one business for five deals. */
  deals: number
  centre: Position
  now: Temporal.Instant
  /** The same `seed` and `now` give the same rows. */
  seed?: number
  /** Copies of each deal, about 100 m apart. Copies are fast, as words and hours are computed once. */
  alike?: number
}

/** Side of the square around the centre in which businesses are spread evenly. */
const squareKm = 30
const dealsPerBusiness = 5
/** Rows per statement, so that it ends within the pool's time limit. */
const batchSize = 2000

/**
 * Fills an empty database with deals for benchmarks in one transaction, then analyzes it. During the transaction the indexes of deals are
 * dropped and its triggers are off; the same functions compute what triggers would write (doc, facets, search words) in batches. With more
 * than 200,000 deals creating the indexes takes longer than a pool's time limit: open the database as `patient`.
 */
export async function fillScaledData(db: Database, { deals, centre, now, seed = 1, alike = 1 }: Scale): Promise<void> {
  const random = randomFrom(seed)
  await db.transaction().execute(async (trx) => {
    await sql`set local maintenance_work_mem = '256MB'`.execute(trx)
    await sql`alter table deals disable trigger user`.execute(trx)
    const putIndexesBack = await takeIndexesAway(trx)
    const days = daysAround(now)
    const places: Place[] = []
    for (const size of batches(Math.max(1, Math.round(deals / dealsPerBusiness)))) {
      const businesses = Array.from({ length: size }, (_, at) =>
        business(random, places.length + at, centre, now, days),
      )
      await insertBusinesses(trx, businesses)
      for (const { row } of businesses) {
        const { business_id, business_name, latitude, longitude } = row
        places.push({ business_id, business_name, latitude, longitude })
      }
    }
    const learned = new Set<string>()
    let sent = Promise.resolve()
    for (const size of batches(deals / alike)) {
      // computed while the database writes the previous batch
      const batch = Array.from({ length: size }, () => deal(random, pick(random, places), now))
      await sent
      sent = insertDeals(trx, batch).then(() => learnWords(trx, batch, learned))
    }
    await sent
    await copyDeals(trx, alike - 1)
    await putIndexesBack()
    await sql`alter table deals enable trigger user`.execute(trx)
  })
  for (const table of ['businesses', 'deals', 'search_words']) {
    await sql`analyze ${sql.table(table)}`.execute(db)
  }
}

/** Drops all indexes of deals except constraints. Returns a function that creates them again. */
async function takeIndexesAway(db: Sql): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'deals'::regclass and not indisunique`.execute(db)
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db)
  return async () => {
    for (const { definition } of rows) await sql.raw(definition).execute(db)
  }
}

function* batches(count: number): Generator<number> {
  for (let done = 0; done < count; done += batchSize) yield Math.min(batchSize, count - done)
}

type Random = () => number

interface Place extends Position {
  business_id: string
  business_name: string
}

function business(random: Random, index: number, centre: Position, now: Temporal.Instant, days: number[]) {
  const kmToLatitude = 1 / 111.195
  const kmToLongitude = kmToLatitude / Math.cos((centre.latitude * Math.PI) / 180)
  const name = `${pick(random, placeKinds)} ${properName(random)}${random() < 0.3 ? ` ${pick(random, vocabulary)}` : ''}`
  const chance = random()
  const known = random() < 0.95
  const opensMinute = Math.floor(random() * 24 * 60)
  const openMinutes = 240 + Math.floor(random() * 600)
  const created = now.subtract({ minutes: 1 + Math.floor(random() * 600 * 24 * 60) })
  return {
    row: {
      business_id: uuidAt(created.epochMilliseconds, random),
      business_name: name,
      slug: `place-${index + 1}`,
      address: `${pick(random, vocabulary)}gasse ${1 + Math.floor(random() * 120)}, ${4051 + Math.floor(random() * 8)} Basel`,
      description: words(random, 8, 20),
      category: pick(random, categories),
      open_hours: known ? `Mo-Su ${clockTime(opensMinute)}-${clockTime(opensMinute + openMinutes)}` : null,
      hours_known: known,
      opening_changes: known ? changesOn(days, opensMinute, openMinutes) : [],
      hours_filled_until: known ? now.add({ hours: openingsDaysAhead * 24 }).toString() : null,
      canton: 'BS',
      latitude: centre.latitude + (random() - 0.5) * squareKm * kmToLatitude,
      longitude: centre.longitude + (random() - 0.5) * squareKm * kmToLongitude,
      subscription_tier: chance < 0.02 ? 'ULTIMATE' : chance < 0.1 ? 'PREMIUM' : 'FREE',
      // three promotions, so that paid places are searched and rotate
      featured_until: index < 3 ? now.add({ hours: 21 * 24 }).toString() : null,
      claimed: true,
      created_at: created.toString(),
      updated_at: created.toString(),
    },
  }
}

/** Midnights, in ms, of the days whose openings the nightly job would compute. */
function daysAround(now: Temporal.Instant): number[] {
  const today = now.toZonedDateTimeISO('Europe/Zurich').startOfDay()
  return Array.from({ length: openingsDaysAhead + 2 }, (_, at) => today.add({ days: at - 2 }).epochMilliseconds)
}

/** One opening per day, shorter than a day. */
function changesOn(days: number[], opensMinute: number, openMinutes: number): string[] {
  return days.flatMap((day) => {
    const opens = day + opensMinute * 60_000
    return [new Date(opens).toISOString(), new Date(opens + openMinutes * 60_000).toISOString()]
  })
}

function deal(random: Random, place: Place, now: Temporal.Instant) {
  const created = now.subtract({ minutes: 1 + Math.floor(random() * 300 * 24 * 60) })
  const fate = random()
  const starts = fate < 0.02 ? now.add({ minutes: 1 + Math.floor(random() * 14 * 24 * 60) }) : null
  const ends =
    fate > 0.98
      ? created.add({ seconds: 30 })
      : fate > 0.4
        ? now.add({ minutes: 15 * 24 * 60 + Math.floor(random() * 60 * 24 * 60) })
        : null
  const priced = random() < 0.7
  const rappen = 50 * (4 + Math.floor(random() * 116))
  const afterwork = random() < 0.2
  const row = {
    deal_id: uuidAt(created.epochMilliseconds, random),
    business_id: place.business_id,
    deal_name: words(random, 2, 5),
    description: words(random, 8, 25),
    price: priced ? (rappen / 100).toFixed(2) : null,
    discount: random() < 0.4 ? `-${5 * (1 + Math.floor(random() * 10))}%` : null,
    category: pick(random, categories),
    tags: Array.from({ length: Math.floor(random() * 4) }, () => frequent(random)),
    state: random() < 0.98 ? 'published' : 'paused',
    starts_at: starts?.toString() ?? null,
    ends_at: ends?.toString() ?? null,
    active_days: afterwork ? 1 + Math.floor(random() * 127) : null,
    start_time: afterwork ? '17:00' : null,
    end_time: afterwork ? '20:00' : null,
    price_rappen: priced ? rappen : null,
    total_limit: random() < 0.1 ? 100 : null,
    redeemed_count: Math.floor(random() * 60),
    redemption_mode: random() < 0.3 ? 'code' : 'none',
    latitude: place.latitude,
    longitude: place.longitude,
    created_at: created.toString(),
    updated_at: created.toString(),
  }
  return { row, business_name: place.business_name }
}

/** Sends the rows as one JSON text, so that the statement has one parameter. */
async function insertBusinesses(db: Sql, businesses: ReturnType<typeof business>[]): Promise<void> {
  const rows = businesses.map(({ row }) => row)
  const columns = columnsOf(rows)
  await sql`
    insert into businesses (${columns})
    select ${columns} from json_populate_recordset(null::businesses, ${JSON.stringify(rows)}::json)`.execute(db)
}

/** Adds what the disabled triggers would write: copies of business fields, usable times, facets and words. */
async function insertDeals(db: Sql, deals: ReturnType<typeof deal>[]): Promise<void> {
  const rows = deals.map(({ row }) => row)
  const columns = columnsOf(rows)
  const json = JSON.stringify(rows)
  await sql`
    insert into deals (${columns}, business_name, premium_until, opening_changes, hours_filled_until, usable_changes,
      over_at, facets, doc)
    select ${sql.join(Object.keys(rows[0]!).map((column) => sql.ref(`d.${column}`)))},
      b.business_name, premium_until(b), b.opening_changes, known, usable,
      deal_over_at(d.starts_at, d.ends_at, known, coalesce(usable, b.opening_changes), true),
      array(select distinct trim(search_fold(tag)) from unnest(d.tags) tag),
      deal_doc(d.deal_name, d.tags, b.business_name, d.description)
    from json_populate_recordset(null::deals, ${json}::json) d join businesses b using (business_id),
      lateral (select case when b.hours_known then b.hours_filled_until end as known) k,
      lateral (select case when known is not null
        then usable_changes(b.opening_changes, d.active_days, d.start_time, d.end_time) end as usable offset 0) u`.execute(
    db,
  )
}

/** Copies every deal `times` times, each a little further north-east. */
async function copyDeals(db: Sql, times: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'deals'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db)
  const columns = (of: string) => sql.join(rows.map(({ name }) => sql`${sql.raw(of)}${sql.ref(name)}`))
  await sql`
    insert into deals (${columns('')})
    select ${columns('(copy).')} from (
      select jsonb_populate_record(d, jsonb_build_object(
        'deal_id', left(d.deal_id::text, 34) ||
          lpad(to_hex((('x' || right(d.deal_id::text, 2))::bit(8)::int + n) % 256), 2, '0'),
        'latitude', d.latitude + n * 0.0009,
        'longitude', d.longitude + n * 0.0007)) as copy
      from deals d, generate_series(1, ${times}::int) n
      offset 0) copies`.execute(db)
}

/**
 * Stores each word of deals and businesses once, like the disabled trigger. Folding works word by word, so known words can be skipped.
 */
async function learnWords(db: Sql, deals: ReturnType<typeof deal>[], known: Set<string>): Promise<void> {
  const met = deals.flatMap(({ row, business_name }) =>
    `${row.deal_name} ${row.tags.join(' ')} ${business_name} ${row.description}`.split(' '),
  )
  const fresh = [...new Set(met)].filter((word) => !known.has(word))
  for (const word of fresh) known.add(word)
  if (fresh.length > 0) await sql`call learn_search_words(search_fold(${fresh.join(' ')}))`.execute(db)
}

function columnsOf(rows: object[]) {
  return sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
}

/** mulberry32: a small and fast generator with the same numbers everywhere, from 0 to below 1. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!
}

/** A random word; early words of the vocabulary are far more frequent than late ones, as in real languages. */
function frequent(random: Random): string {
  return vocabulary[Math.floor(random() ** 2.5 * vocabulary.length)]!
}

function words(random: Random, least: number, most: number): string {
  const text = Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => frequent(random)).join(
    ' ',
  )
  return text[0]!.toUpperCase() + text.slice(1)
}

function properName(random: Random): string {
  const part = () => syllables[Math.floor(random() ** 1.5 * syllables.length)]!
  const name = part() + part() + (random() < 0.4 ? part() : '')
  return name[0]!.toUpperCase() + name.slice(1)
}

function clockTime(minutes: number): string {
  const inDay = minutes % (24 * 60)
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
}

/** A UUIDv7 of that time; its random bits come from the seed. */
function uuidAt(epochMs: number, random: Random): string {
  const hex = (bits: number) =>
    Math.floor(random() * 2 ** bits)
      .toString(16)
      .padStart(bits / 4, '0')
  const time = epochMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(12)}-${(8 + Math.floor(random() * 4)).toString(16)}${hex(12)}-${hex(24)}${hex(24)}`
}
