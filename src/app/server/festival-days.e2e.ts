import { expect, it } from 'vitest'
import { api, appForTest } from '../../../test/start-app.ts'
import { readConfig } from '../config.ts'
import { askDays } from './festival-days.ts'

type Answer = () => Promise<{ start: string; end: string } | null>
const saturday = { now: () => Temporal.Instant.from('2026-06-20T17:30:00Z') }
const ask = (env: Record<string, string>, ...answers: Answer[]) =>
  askDays(readConfig(env, '/'), saturday, () => answers)()

it('the festival’s days come from the operator, else from the programme, else in the demo they are around today', async () => {
  const programme = async () => ({ start: '2026-06-25', end: '2026-06-27' })
  const settings = { FESTIVAL_START: '2026-06-19', FESTIVAL_END: '2026-06-21' }
  const none = async () => null
  expect(await ask(settings, programme)).toEqual({ start: '2026-06-19', end: '2026-06-21' })
  expect(await ask({}, none, programme)).toEqual(await programme())
  expect(await ask({}, none)).toEqual({ start: '2026-06-19', end: '2026-06-21' })
  expect(await ask({ DEMO_DATA: 'off' })).toBeNull()
})

it('the festival has no days when the programme cannot be read', async () => {
  expect(await ask({}, () => Promise.reject(new Error('no database')))).toBeNull()
})

it('the last known days are used while the programme cannot be read, and pages do not retry each time', async () => {
  let now = saturday.now()
  let asked = 0
  const days = { start: '2026-06-25', end: '2026-06-27' }
  let answer: Answer = async () => days
  const find = askDays(readConfig({}, '/'), { now: () => now }, () => [() => (asked++, answer())])
  expect(await find()).toEqual(days)
  answer = () => Promise.reject(new Error('no database'))
  now = now.add({ minutes: 2 })
  for (let n = 0; n < 3; n++) expect(await find()).toEqual(days)
  expect(asked).toBe(2)
  now = now.add({ seconds: 5 })
  answer = async () => null
  await find()
  expect(asked).toBe(3)
})

it('home, How it works, Help, structured data and the sharing picture show the days', async () => {
  const days = { FESTIVAL_START: '2026-06-19', FESTIVAL_END: '2026-06-21' }
  const app = await appForTest({ pages: true, env: days })
  const home = (await api(app, '/')).text
  expect(home).toMatch(/On now, until <time[^>]*>Sun 21 June<\/time>/)
  const festival = home.match(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s)![1]!
  expect(festival).toContain('"startDate":"2026-06-19"')
  expect(festival).toContain('"endDate":"2026-06-21"')
  expect((await api(app, '/learn-more')).text).toMatch(/On now, until <time[^>]*>Sun 21 June<\/time>/)
  expect((await api(app, '/help')).text).toContain('takes place in Basel: Fri 19 – Sun 21 June')
  const german = await api(app, '/', { headers: { 'accept-language': 'de' } })
  expect(german.text).toMatch(/Jetzt, bis <time[^>]*>So 21\. Juni<\/time>/)

  const past = await appForTest({ pages: true, env: { FESTIVAL_START: '2026-06-12', FESTIVAL_END: '2026-06-14' } })
  expect((await api(past, '/help')).text).toContain('is over. It took place in Basel: Fri 12 – Sun 14 June.')

  const another = await appForTest({ pages: true })
  expect((await api(another, '/help')).text).toContain('are not announced yet')
  const [dated, plain] = await Promise.all(
    [app, another].map(async ({ url }) => (await fetch(`${url}/og/site.png`)).headers.get('etag')),
  )
  expect(dated).not.toBe(plain)
})

it.each([
  ['2026-06-23', '2026-06-25', 'In 3 days: ', 'Tue 23 – Thu 25 June'],
  ['2026-06-21', '2026-06-21', 'Tomorrow: ', 'Sun 21 June'],
  ['2026-06-12', '2026-06-14', 'Over since ', 'Sun 14 June'],
])('for a festival from %s to %s, home and How it works say "%s%s"', async (start, end, left, days) => {
  const app = await appForTest({ pages: true, env: { FESTIVAL_START: start, FESTIVAL_END: end } })
  for (const path of ['/', '/learn-more']) {
    const { text } = await api(app, path)
    expect(text).toMatch(new RegExp(`${left}<time[^>]*>${days}</time>`))
  }
})

it('the tagline of home names the festival and its edition', async () => {
  const app = await appForTest({ pages: true, env: { FESTIVAL_NAME: 'Rheinklang', FESTIVAL_EDITION: '2026' } })
  expect((await api(app, '/')).text).toContain('The Rheinklang festival 2026 brings music to the Rhine.')
})
