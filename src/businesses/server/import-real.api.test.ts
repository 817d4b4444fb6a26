import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hoursIn, useImports } from '../../../test/importing.ts'
import { get } from '../../../test/people.ts'
import { aModerator, undoConfirmed } from '../../../test/staff.ts'
import { api } from '../../../test/start-app.ts'
import type { ListOutcome } from '../../staff/server/import-list.ts'

const at = useImports()
const { take, stored } = at

const places = new URL('../../../../shared/data/places/', import.meta.url)

describe.skipIf(!existsSync(places))('the real files of shared/data/places', () => {
  const takeReal = (name: string) => take(readFileSync(new URL(name, places)), { fileName: name })
  const counts = (report: ListOutcome) => report.counts
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
    const first = await takeReal(name)
    expect(counts(first)).toEqual({ read, new: read - refused, changed: 0, same: 0, refused })
    expect(first.remarks.filter(({ kind }) => kind === 'refused')).toHaveLength(refused)
    expect(await stored()).toHaveLength(read - refused)
    expect(await spread()).toEqual(categories)
    expect(counts(await takeReal(name))).toEqual({
      read,
      new: 0,
      changed: 0,
      same: read - refused,
      refused,
    })
  })
  it('all 189 opening hours of Basel are read, and late licences of Zurich are not read as hours', async () => {
    const basel = await takeReal('basel-laeden-osm.geojson')
    expect(hoursIn(basel)).toEqual({ understood: 189, unknown: 0, absent: 35 })
    const zurich = await takeReal('zuerich-gastwirtschaften.geojson')
    expect(hoursIn(zurich)).toMatchObject({ unknown: expect.any(Number), absent: 3463 - 542 })
    expect(hoursIn(zurich)!['understood']).toBeLessThan(5)
  })
  it('Zurich keeps the words of its licences, and its holidays', async () => {
    await takeReal('zuerich-gastwirtschaften.geojson')
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
  it('Zurich is undone and done again with the same rows', async () => {
    const token = await aModerator(at.app)
    const { entryId } = await takeReal('zuerich-gastwirtschaften.geojson')
    const rows = async () => (await stored()).map(({ updated_at: _, ...row }) => row)
    const before = await rows()
    expect((await undoConfirmed(at.app, token, entryId!)).body.reach).toMatchObject({ hidden: 3463 })
    expect(await stored()).toEqual([])
    const [undo] = (await get(at.app, '/api/admin/log?limit=1', token)).body
    expect((await undoConfirmed(at.app, token, undo.entry_id)).body.reach).toMatchObject({ shown: 3463 })
    expect(await rows()).toEqual(before)
  })
})
