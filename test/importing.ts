import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { importBusinesses } from '../src/businesses/server/import-businesses.ts'
import { read, type ReadOptions } from '../src/businesses/server/read-merchants.ts'
import { texts } from '../src/app/server/texts.ts'
import { speaker } from '../src/kit/server/import-text.ts'
import type { ListOptions, ListOutcome } from '../src/staff/server/import-list.ts'
import { importReportLines } from '../src/staff/server/import-report.ts'
import { command } from '../src/staff/server/staff.ts'
import { saturdayEvening, startTestApp, type TestApp } from './start-app.ts'

/** Words of messages of engines and libraries, which are for developers. */
export const ofPrograms =
  /\b(?:Type|Range|Syntax|Reference)?Error\b|undefined|NaN|\[object|Cannot read|is not (?:a function|defined|iterable)|at position|Unexpected token|node_modules|\bat \S+:\d+/

export const onTheBridge = { type: 'Point', coordinates: [7.5897, 47.5601] }
export const feature = (properties: object | null, geometry: unknown = onTheBridge) => ({
  type: 'Feature',
  properties,
  geometry,
})
export const geojson = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
export const barNord = { osm: 'node/1', name: 'Bar Nord', amenity: 'bar', opening_hours: 'Mo-Sa 18:00-02:00' }

/** The report in English, as the command prints it. */
export const reportLines = (report: ListOutcome) => importReportLines(report, speaker(texts, 'en'))
/** The lines of a report about rows, without those about the whole file and the counts. */
export const rowMessages = (report: ListOutcome) =>
  reportLines({ ...report, remarks: report.remarks.filter(({ place }) => place?.key !== 'plain') }).slice(0, -1)
/** The lines of a report about the whole file. */
export const fileMessages = (report: ListOutcome) =>
  reportLines({ ...report, remarks: report.remarks.filter(({ place }) => place?.key === 'plain') }).slice(0, -1)
export const total = (report: ListOutcome) => reportLines(report).at(-1)
/** How many opening hours a report says were understood, unknown and absent. */
export const hoursIn = (report: ListOutcome) =>
  report.remarks.flatMap(({ texts: [text] }) => (text?.key === 'hoursCounted' ? [text.values] : []))[0]

type TakeOptions = Partial<ReadOptions & ListOptions> & { at?: string }

/** An app without businesses before each test, and a folder for files. */
export function useImports() {
  let app: TestApp
  let folder: string
  beforeAll(async () => {
    app = await startTestApp()
    folder = mkdtempSync(join(tmpdir(), 'rheinklang-import-'))
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await app.close()
  })
  beforeEach(async () => {
    app.setNow(saturdayEvening)
    await app.db.deleteFrom('businesses').execute()
  })

  const room = (at: string = saturdayEvening) => ({
    db: app.db,
    clock: { now: () => Temporal.Instant.from(at) },
    centre: { latitude: onTheBridge.coordinates[1]!, longitude: onTheBridge.coordinates[0]! },
  })
  /** Imports a file as the command does; places far away are meant unless `far` is false. */
  const take = async (
    content: string | Uint8Array,
    { at, fileName = 'list', source, canton, ...options }: TakeOptions = {},
  ) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const file = await read(bytes, { fileName, source, canton })
    return importBusinesses(room(at), file, { dryRun: false, far: true, actor: command, ...options })
  }
  const stored = () => app.db.selectFrom('businesses').selectAll().orderBy('source_id').execute()
  const only = async () => (await stored())[0]!
  return {
    get app() {
      return app
    },
    get folder() {
      return folder
    },
    room,
    take,
    stored,
    only,
  }
}
