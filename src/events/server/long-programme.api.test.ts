import { afterAll, beforeAll, expect, it } from 'vitest'
import { addEvent } from '../../../test/cast.ts'
import { get } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
const day = (n: number) => Temporal.PlainDate.from('2026-06-20').add({ days: n }).toString()
beforeAll(async () => {
  app = await startTestApp()
  // nine past months of a venue's calendar, and events to come; today is 20 June 2026
  for (let n = -270; n <= 10; n++) await addEvent(app.db, n % 90 === 0 ? 'Jazz' : 'Bar', `${day(n)}T18:00:00Z`)
})
afterAll(() => app.close())

const daysOf = async (query: string) =>
  ((await get(app, `/api/events?${query}`)).body as { festival_day: string }[]).map(({ festival_day }) => festival_day)

it('a programme of nine months lists today first, and says how many days it leaves out', async () => {
  const { body } = await get(app, '/api/events/programme')
  const days = body.days as { day: string; is_earlier: boolean }[]
  expect(days).toHaveLength(100)
  expect(days.slice(0, 12).map((each) => [each.day, each.is_earlier])).toEqual([
    ...Array.from({ length: 11 }, (_, n) => [day(n), false]),
    [day(-1), true],
  ])
  expect(body.days_left_out).toBe(181)
})

it('a list can be filtered by festival days, and a search opens on a day from today on', async () => {
  expect(await daysOf(`q=jazz&limit=100`)).toEqual([day(-270), day(-180), day(-90), day(0)])
  expect(await daysOf(`q=jazz&limit=100&day_from=${day(-90)}`)).toEqual([day(-90), day(0)])
  expect(await daysOf(`q=jazz&limit=100&day_to=${day(-91)}`)).toEqual([day(-270), day(-180)])
  expect(await daysOf('q=jazz&first_day=true')).toEqual([day(0)])
  // today's event is over from 21:30 in Basel on
  app.setNow('2026-06-20T22:00:00Z')
  expect(await daysOf('q=bar&first_day=true')).toEqual([day(1)])
  // no event to come: the last day before
  expect(await daysOf(`q=jazz&first_day=true&day_to=${day(-1)}`)).toEqual([day(-90)])
})
