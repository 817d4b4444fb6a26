import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { get } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = await aModerator(app)
})
afterAll(() => app.close())

const upload = (name: string, content: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([content]), name)
  const headers = { authorization: `Bearer ${token}` }
  return api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
}
const titlesOn = async (day: string) =>
  ((await get(app, `/api/events?day=${day}`)).body as { title: string }[]).map(({ title }) => title)

it('a table of unknown headings is mapped once, and its next file under the same name needs no answer', async () => {
  const rows = (more = '') => `Dings;Wenn;Dort\nKonzert;28.11.2026 20:00;Hof\n${more}`
  const asked = await upload('Liste.csv', rows(), { dry_run: 'true' })
  expect(asked).toMatchObject({
    status: 200,
    body: {
      source: 'liste',
      counts: { read: 0, new: 0 },
      table: {
        is_enough: false,
        columns: [
          { heading: 'Dings', sample: 'Konzert', field: null },
          { heading: 'Wenn', sample: '28.11.2026 20:00', field: 'start' },
          { heading: 'Dort', sample: 'Hof', field: null },
        ],
      },
    },
  })
  expect(await upload('Liste.csv', rows())).toMatchObject({ status: 422, body: { code: 'schedule_unreadable' } })
  const columns = JSON.stringify({ Dings: 'title', Wenn: 'start', Dort: 'stage' })
  expect((await upload('Liste.csv', rows(), { dry_run: 'true', columns })).body).toMatchObject({ counts: { new: 1 } })
  expect((await upload('Liste.csv', rows(), { columns })).body).toMatchObject({ counts: { read: 1, new: 1 } })
  const next = await upload('Liste.csv', rows('Nacht;28.11.2026 23:00;Hof\n'))
  expect(next.body).toMatchObject({ counts: { read: 2, new: 1, same: 1 } })
  expect(await titlesOn('2026-11-28')).toEqual(['Konzert', 'Nacht'])
})

it('a column chosen anew goes before the remembered one of the same field', async () => {
  const rows = 'Dings;Wenn;Name des Konzerts\nA-17;27.11.2026 20:00;Quartett\n'
  const first = JSON.stringify({ Dings: 'title', Wenn: 'start', 'Name des Konzerts': '' })
  expect((await upload('Zweite.csv', rows, { columns: first })).body).toMatchObject({ counts: { new: 1 } })
  expect(await titlesOn('2026-11-27')).toEqual(['A-17'])
  const anew = JSON.stringify({ 'Name des Konzerts': 'title' })
  const chosen = await upload('Zweite.csv', rows, { dry_run: 'true', columns: anew })
  expect(chosen.body.table.columns.map(({ field }: { field: string | null }) => field)).toEqual([
    null,
    'start',
    'title',
  ])
  await upload('Zweite.csv', rows, { columns: anew })
  await upload('Zweite.csv', rows.replace('Quartett', 'Quintett'))
  expect(await titlesOn('2026-11-27')).toContain('Quintett')
})

it('a date that can be read in two ways is asked for before anything is imported', async () => {
  const table = 'title,start\nOpening,03/04/2026 20:00\n'
  const asked = await upload('us.csv', table, { dry_run: 'true' })
  expect(asked.body.table).toMatchObject({ day_order: 'day-first', unclear_date: '03/04/2026 20:00' })
  expect(await upload('us.csv', table)).toMatchObject({ status: 422, body: { code: 'schedule_unreadable' } })
  await upload('us.csv', table, { day_order: 'month-first' })
  expect(await titlesOn('2026-03-04')).toEqual(['Opening'])
  expect((await upload('us.csv', table)).body).toMatchObject({ counts: { same: 1 } })
})

it('an Excel workbook is a programme, and a second import of it changes nothing', async () => {
  const bytes = readFileSync(new URL('../../../test/awkward/programme-openpyxl.xlsx', import.meta.url))
  const first = await upload('Programm.xlsx', new Uint8Array(bytes))
  expect(first.body).toMatchObject({ source: 'programm', counts: { read: 4, new: 4, refused: 0 } })
  expect((await upload('Programm.xlsx', new Uint8Array(bytes))).body).toMatchObject({ counts: { read: 4, same: 4 } })
})

it('a choice of columns that is no JSON, or names an unknown field, is refused at its field', async () => {
  const refusals = await Promise.all(
    ['{', '[]', '{"Dings":"colour"}'].map((columns) => upload('Liste.csv', 'Dings\nx\n', { columns, dry_run: 'true' })),
  )
  expect(refusals.map(({ status, body }) => [status, ...Object.keys(body.fields as object)])).toEqual([
    [400, 'columns'],
    [400, 'columns'],
    [400, 'columns.Dings'],
  ])
})
