import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Position } from '../shared/geo.ts'
import type { Sql } from './database.ts'

/** The demo's "now", from which all of its times are counted, and its place. */
export interface DemoSetting {
  now: Temporal.Instant
  name: string
  zone: string
  centre: Position
}

/** Reads and checks `demo/<name>.json`. No cache: a demo is filled once, and a server runs for weeks. */
export function readDemo<Shape extends z.ZodType>(name: string, shape: Shape): z.output<Shape> {
  const file = new URL(`../../../demo/${name}.json`, import.meta.url)
  return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Inserts rows that all have the keys of the first. They are sent as one JSON text, so the statement has one parameter. */
export async function insertRows(db: Sql, table: string, rows: object[]): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  )
}

/** A UUIDv7 that depends on the text only: its random bits, and its time in the year 2025, come from a hash. */
export function stableId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  const yearMs = 365 * 24 * 3_600_000
  bytes.writeUIntBE(Date.UTC(2025, 0) + Math.floor((bytes.readUInt32BE(0) / 2 ** 32) * yearMs), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
