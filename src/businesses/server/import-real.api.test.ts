import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useImports } from '../../../test/importing.ts'
import { api } from '../../../test/start-app.ts'
import { importBusinesses, type ImportReport } from './import-businesses.ts'
import { parseImportFile } from './import-file.ts'
import { readImportFile } from './read-import-file.ts'

const at = useImports()
const { room, stored } = at

const places = new URL('../../../../shared/data/places/', import.meta.url)

describe.skipIf(!existsSync(places))('the real files of shared/data/places', () => {
  const counts = (report: ImportReport) => report.counts
  const spread = async () => {
    const rows = await stored()
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ category }) => category)].map(([category, { length }]) => [category, length]),
    )
  }
  it.each([
    ['zuerich-gastwirtschaften.geojson', 3463, 0, { food: 2389, shopping: 1051, nightlife: 18, culture: 5 }],
    ['basel-laeden-osm.geojson', 229, 5, { shopping: 161, wellness: 63 }],
    ['basel-kultur-ogd.geojson', 105, 0, { culture: 105 }],
  ])('%s is taken whole, and a second time changes nothing', async (name, read, refused, categories) => {
    const file = await readImportFile(fileURLToPath(new URL(name, places)))
    const first = await importBusinesses(room(), file)
    expect(counts(first)).toEqual({ read, new: read - refused, changed: 0, same: 0, refused })
    expect(first.remarks.filter(({ kind }) => kind === 'refused')).toHaveLength(refused)
    expect(await stored()).toHaveLength(read - refused)
    expect(await spread()).toEqual(categories)
    expect(counts(await importBusinesses(room(), file))).toEqual({
      read,
      new: 0,
      changed: 0,
      same: read - refused,
      refused,
    })
  })
  it('all 189 opening hours of Basel are read, and late licences of Zurich are not read as hours', async () => {
    const basel = await importBusinesses(
      room(),
      await readImportFile(fileURLToPath(new URL('basel-laeden-osm.geojson', places))),
    )
    expect(basel.hours).toEqual({ understood: 189, unknown: 0, absent: 35 })
    const zurich = await importBusinesses(
      room(),
      await readImportFile(fileURLToPath(new URL('zuerich-gastwirtschaften.geojson', places))),
    )
    expect(zurich.hours.understood + zurich.hours.unknown).toBe(542)
    expect(zurich.hours.understood).toBeLessThan(5)
  })
  it('Zurich keeps the words of its licences, and its holidays', async () => {
    await importBusinesses(room(), parseImportFile(readFileSync(new URL('zuerich-gastwirtschaften.geojson', places))))
    const rows = await stored()
    expect(rows.filter(({ canton }) => canton === 'ZH').length).toBe(3463)
    expect(rows.filter(({ open_hours }) => open_hours === '0400/Frei').length).toBeGreaterThan(130)
    const { body } = await api(
      at.app,
      `/api/business/${rows.find(({ open_hours }) => open_hours === '0400/Frei')!.business_id}`,
    )
    expect(body).toMatchObject({
      claimed: false,
      open_now: null,
      open_hours: '0400/Frei',
      category: expect.any(String),
    })
  })
})
