import { expect, it } from 'vitest'
import { answerOf } from '../../../test/rendered.ts'
import { useEventWhen } from './use-event-when.ts'

const now = '2026-11-24T18:00:00Z'
const at = (starts_at: string, festival_day: string) => ({ starts_at, festival_day })

it('an event after midnight shows the night with both days, in every language', () => {
  const event = at('2026-11-24T23:00:00Z', '2026-11-24')
  const shown = (['en', 'de', 'fr'] as const).map((language) => answerOf(useEventWhen, now, language).dayOf(event))
  expect(shown).toEqual([
    'Night of Tue 24 to Wed 25 November',
    'Nacht von Di 24. auf Mi 25. November',
    'Nuit du mar. 24 au mer. 25 novembre',
  ])
})

it('a night between two months names both months', () => {
  const event = at('2026-11-30T23:30:00Z', '2026-11-30')
  expect(answerOf(useEventWhen, now).dayOf(event)).toBe('Night of Mon 30 November to Tue 1 December')
})

it('an event before midnight shows its day', () => {
  expect(answerOf(useEventWhen, now).dayOf(at('2026-11-24T22:30:00Z', '2026-11-24'))).toBe('Tue 24 November')
})

it('an event of another year shows the year', () => {
  const shown = (starts_at: string, festival_day: string) =>
    answerOf(useEventWhen, now).dayOf(at(starts_at, festival_day))
  expect(shown('2025-11-24T18:00:00Z', '2025-11-24')).toBe('Mon 24 November 2025')
  expect(shown('2026-12-31T23:30:00Z', '2026-12-31')).toBe('Night of Thu 31 December to Fri 1 January 2027')
})

it('a day of another year shows the year, in a list of days and as a heading', () => {
  const when = answerOf(useEventWhen, now)
  expect([when.day('2026-11-24'), when.shortDay('2026-11-24')]).toEqual(['Tue 24 November', 'Tue 24'])
  expect([when.day('2025-11-24'), when.shortDay('2025-11-24')]).toEqual([
    'Mon 24 November 2025',
    'Mon 24 November 2025',
  ])
})

it('an all-day event has days and no times, in every language', () => {
  const oneDay = {
    starts_at: '2026-11-24T05:00:00Z',
    ends_at: '2026-11-25T05:00:00Z',
    all_day: true,
    status: 'scheduled',
  }
  const shown = (ends_at: string) =>
    (['en', 'de', 'fr'] as const).map((language) => answerOf(useEventWhen, now, language).span({ ...oneDay, ends_at }))
  expect(shown('2026-11-25T05:00:00Z')).toEqual(['all day', 'ganztägig', 'toute la journée'])
  expect(shown('2026-11-27T05:00:00Z')).toEqual([
    'all day, until Thu 26',
    'ganztägig, bis Do 26.',
    'toute la journée, jusqu’au jeu. 26',
  ])
  const when = answerOf(useEventWhen, now)
  expect(when.soon(oneDay)).toEqual({ live: true, text: 'today' })
  const tomorrow = { ...oneDay, starts_at: '2026-11-25T05:00:00Z', ends_at: '2026-11-26T05:00:00Z' }
  expect([when.soon(tomorrow), when.start(tomorrow)]).toEqual([null, 'Wed, all day'])
})

it('the end of an event longer than a day has its day', () => {
  const long = { starts_at: '2026-11-24T17:00:00Z', ends_at: '2026-11-26T09:00:00Z', status: 'scheduled' }
  const when = answerOf(useEventWhen, now)
  expect(when.span(long)).toBe('18:00 – Thu 26, 10:00')
  expect(when.span({ ...long, ends_at: '2026-12-02T09:00:00Z' })).toBe('18:00 – Wed 2 December, 10:00')
  expect(when.soon(long)?.text).toBe('Until Thu 10:00')
  expect(when.span({ ...long, ends_at: '2026-11-25T04:00:00Z' })).toBe('18:00–05:00')
})
