import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bridge } from '../../../test/cast.ts'
import { feature, geojson, ofPrograms } from '../../../test/importing.ts'
import { get } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { texts } from '../../app/server/texts.ts'
import { systemClock } from '../../kit/server/clock.ts'
import { speaker } from '../../kit/server/import-text.ts'
import { importReportLines } from '../../staff/server/import-report.ts'
import { command } from '../../staff/server/staff.ts'
import { importPlaces } from './import-places.ts'
import { read } from './read-places.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const take = async (content: string, dryRun = false) => {
  const file = await read(new TextEncoder().encode(content), { source: 'town', fileName: 'places.csv' })
  const services = { db: app.db, clock: systemClock, centre: bridge }
  const outcome = await importPlaces(services, file, { dryRun, far: true, actor: command })
  return importReportLines(outcome, speaker(texts, 'en')).filter((line) => !line.startsWith('places.csv: '))
}
const entries = () =>
  app.db.selectFrom('audit_entries').select('action').where('action', '=', 'import-places').execute()

it('a list of useful places is imported once, rows are refused with a reason, and a dry run writes nothing', async () => {
  const table = [
    'id,kind,name,latitude,longitude,wheelchair,opening_hours',
    '1,toilets,WC Brücke,47.5601,7.5897,yes,24/7',
    '2,Trinkwasser,,47.5605,7.5899,,',
    '3,kiosk,Bar,47.56,7.59,,',
    '4,first aid,Sanität,nowhere,7.59,,',
    '1,toilets,WC Brücke,47.5601,7.5897,yes,24/7',
    '6,step_free,Rampe,47.561,7.59,no,',
    '7,kiosk,Grill,47.56,7.59,,',
  ].join('\n')
  const refusals = [
    'line 4 (Bar): refused: its kind “kiosk” is not toilet, water, first_aid or step_free (and 1 more row)',
    'line 5 (Sanität): refused: its coordinate “nowhere” is not a number: use degrees such as 47.5596',
    'line 6 (WC Brücke): refused: the id town:1 is in the file twice',
  ]
  expect(await take(table, true)).toEqual([...refusals, '7 read, 3 new, 0 changed, 0 same, 4 refused'])
  expect((await get(app, '/api/places')).body).toEqual([])
  expect(await take(table)).toEqual([...refusals, '7 read, 3 new, 0 changed, 0 same, 4 refused'])
  const again = await take(table.replace('WC Brücke', 'WC am Steg'))
  expect(again.at(-1)).toBe('7 read, 0 new, 1 changed, 2 same, 4 refused')
  expect((await take(table.replace('WC Brücke', 'WC am Steg'))).at(-1)).toBe(
    '7 read, 0 new, 0 changed, 3 same, 4 refused',
  )
  expect(await entries()).toHaveLength(2)
  const one = geojson(feature({ id: '1', type: 'node', amenity: 'toilets', name: 'WC am Steg', wheelchair: 'yes' }))
  expect((await take(one)).filter((line) => line.includes('missing'))).toEqual([
    expect.stringMatching(/\(and 1 more row\)$/),
  ])
})

it('guests find places by the word for a kind in their language and within a box, the nearest first', async () => {
  const at = `lat=${bridge.latitude}&lon=${bridge.longitude}`
  const all = await get(app, `/api/places?${at}`)
  expect(all.body.map(({ kind }: { kind: string }) => kind)).toEqual(['toilet', 'water', 'step_free'])
  expect(all.body[0]).toMatchObject({ place_name: 'WC am Steg', step_free: true })
  // the list has no name for it: screens show its kind instead
  expect(all.body[1]).toMatchObject({ kind: 'water', place_name: '' })
  for (const [q, kind] of [
    ['Toilette', 'toilet'],
    ['eau', 'water'],
    ['stufenlos', 'step_free'],
    ['steg', 'toilet'],
  ])
    expect((await get(app, `/api/places?q=${q}`)).body).toMatchObject([{ kind }])
  expect((await get(app, '/api/places?bbox=7.5,47.5,7.51,47.51')).body).toEqual([])
  expect((await get(app, `/api/places?radius=0.1&lat=46&lon=7`)).body).toEqual([])
  expect((await get(app, '/api/places?kind=kiosk')).status).toBe(400)
})

const awkward = new URL('../../../test/awkward/', import.meta.url)
it.each(readdirSync(awkward).filter((name) => name.endsWith('.geojson')))(
  'the awkward file %s is imported, or refused in words',
  async (name) => {
    const lines = await take(readFileSync(new URL(name, awkward), 'utf8'))
    expect(lines.join('\n')).not.toMatch(ofPrograms)
    expect(lines.at(-1)).toMatch(/^[1-9]\d* read, /)
  },
)
