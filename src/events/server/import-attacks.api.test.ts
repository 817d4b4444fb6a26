import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ofPrograms } from '../../../test/importing.ts'
import { get } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { readSchedule } from './import/read-schedule.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = await aModerator(app)
})
afterAll(() => app.close())

const upload = (file: string | Uint8Array<ArrayBuffer>, name: string, { language = 'en', dry = false } = {}) => {
  const form = new FormData()
  form.set('file', new Blob([file]), name)
  if (dry) form.set('dry_run', 'true')
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language }
  return api(app, '/api/admin/events/import', { method: 'POST', body: form, headers })
}

const calendar = (event: string) =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${event}DTSTART:20261126T200000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
const part = 2 ** 20

it('a calendar that takes a minute to parse is refused after five seconds, and visitors are served in the meantime', async () => {
  let isOver = false
  const asked = upload(calendar(`SUMMARY${';A="b"'.repeat((5 * part) / 6)}:x\r\n`), 'slow.ics', { language: 'de' })
  const attack = asked.finally(() => (isOver = true))
  for (let n = 0; n < 20; n++) {
    expect((await get(app, '/api/deals')).status).toBe(200)
  }
  expect(isOver).toBe(false)
  expect(await attack).toMatchObject({
    status: 422,
    body: {
      code: 'schedule_unreadable',
      error: expect.stringContaining('Das Lesen der Datei dauert länger als 5 Sekunden.'),
    },
  })
})

const bomb = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')

describe('an attack is refused with an explanation', () => {
  it.each<[string, string, string]>([
    [
      'XML of 700,000 levels',
      `<schedule>${'<a>'.repeat(700_000)}${'</a>'.repeat(700_000)}</schedule>`,
      'not valid XML',
    ],
    ['XML that never closes', `<schedule>${'<title>'.repeat(700_000)}`, 'ends too early'],
    [
      'entities of entities',
      `<!DOCTYPE s [<!ENTITY e0 "lol">${bomb}]><schedule><title>&e9;</title></schedule>`,
      'has a DOCTYPE',
    ],
    ['JSON of four million levels', '['.repeat(4_000_000) + ']'.repeat(4_000_000), 'takes too much memory'],
    ['a JSON list of two million objects', `[${'{},'.repeat(2_000_000)}{}]`, 'takes too much memory'],
    ['JSON of 400,000 levels', `${'{"schedule":'.repeat(400_000)}1${'}'.repeat(400_000)}`, 'not a schedule'],
    [
      'a line of five megabytes',
      `id,title,starts_at\n1,${'x'.repeat(5 * part)},2026-11-26 20:00`,
      'more than 1,000,000',
    ],
    [
      'a quote that swallows five megabytes',
      `id,title,starts_at\n1,"${'x\n'.repeat(2.5 * part)}`,
      'more than 1,100,000 rows',
    ],
    ['a table of a million columns', `title,starts_at${','.repeat(900_000)}\n1,2`, 'is not a time'],
    [
      'a calendar in a calendar 200,000 times',
      `${'BEGIN:VCALENDAR\r\n'.repeat(200_000)}${'END:VCALENDAR\r\n'.repeat(200_000)}`,
      'no events',
    ],
  ])('%s', async (_, content, words) => {
    const { status, body } = await upload(content, 'attack')
    expect(JSON.stringify(body)).not.toMatch(ofPrograms)
    if (status !== 200) expect({ status, code: body.code }).toEqual({ status: 422, code: 'schedule_unreadable' })
    // a busy machine may hit the five seconds first
    expect(JSON.stringify(body)).toMatch(new RegExp(`${words}|more than 5 seconds`))
  })

  it('JSON of ten megabytes is refused before it is read', async () => {
    const { status, body } = await upload(`[${'1234567,'.repeat((10 * part) / 8)}1]`, 'large.json')
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'too_large' })
  })
})

describe('files that naive code reads slowly are read in time', () => {
  const rows = (cells: string, header = 'id,title,starts_at') => `${header}\n${cells}\n`
  it.each<[string, string, number?]>([
    ['a time of a million letters', rows(`1,Set,"${'T'.repeat(990_000)}"`)],
    ['a time with half a million brackets', rows(`1,Set,"${'Z['.repeat(490_000)}"`)],
    [
      'a wide table',
      rows('1,2\n'.repeat(15_000), `id,title,starts_at${',x'.repeat(300_000)}${',title'.repeat(50_000)}`),
    ],
    [
      'a zone of 20,000 changes of its clocks',
      `BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:X\r\n${'BEGIN:STANDARD\r\nDTSTART:20200101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:STANDARD\r\n'.repeat(20_000)}END:VTIMEZONE\r\n${'BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:x\r\nDTSTART;TZID=X:20261126T200000\r\nEND:VEVENT\r\n'.repeat(5000)}END:VCALENDAR`,
      1,
    ],
    [
      'a file of 5000 rules that no day fits',
      `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:x\r\nDTSTART:20261126T200000Z\r\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31\r\nEND:VEVENT\r\n'.repeat(5000)}END:VCALENDAR`,
      1,
    ],
  ])('%s', async (_, content, taken = 0) => {
    const { read, accepted } = await readSchedule(Buffer.from(content), { zone: 'Europe/Zurich', name: 'x' })
    expect(read).toBeGreaterThan(0)
    expect(accepted).toHaveLength(taken)
  })
})

const awkward = new URL('../../../test/awkward/', import.meta.url)
const programmes = readdirSync(awkward).filter((name) => !name.endsWith('.geojson'))

it.each(programmes)('the awkward file %s is imported or refused with an explanation', async (name) => {
  const bytes = new Uint8Array(readFileSync(new URL(name, awkward)))
  for (const dry of [true, false]) {
    const { status, body } = await upload(bytes, name, { dry })
    expect(JSON.stringify(body)).not.toMatch(ofPrograms)
    if (status === 200) expect(body.counts.read).toBeGreaterThan(0)
    else expect({ status, code: body.code }).toEqual({ status: 422, code: 'schedule_unreadable' })
  }
})
