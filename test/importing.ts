import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import {
  importBusinesses,
  reportLines,
  type ImportOptions,
  type ImportReport,
} from '../src/businesses/server/import-businesses.ts'
import { parseImportFile } from '../src/businesses/server/import-file.ts'
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

/** The lines of a report about rows, without its two lines of totals. */
export const rowMessages = (report: ImportReport) => reportLines(report).slice(0, -2)
export const total = (report: ImportReport) => reportLines(report).at(-1)

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

  const room = (at: string = saturdayEvening) => ({ db: app.db, clock: { now: () => Temporal.Instant.from(at) } })
  const take = (content: string | Uint8Array, { at, ...options }: ImportOptions & { at?: string } = {}) =>
    importBusinesses(
      room(at),
      parseImportFile(typeof content === 'string' ? new TextEncoder().encode(content) : content),
      options,
    )
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
