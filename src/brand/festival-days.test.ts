import { expect, it } from 'vitest'
import { wallIn } from '../kit/shared/calendar.ts'
import { daysText, daysTo } from './festival-days.ts'

const days = { start: '2026-11-20', end: '2026-11-22' }

it('the days of the festival have weekdays, and the month once', () => {
  expect(daysText('en', days)).toBe('Fri 20 – Sun 22 November')
  expect(daysText('de', days)).toBe('Fr 20. – So 22. November')
  expect(daysText('fr', days)).toBe('ven. 20 – dim. 22 novembre')
  expect(daysText('en', { start: '2026-10-30', end: '2026-11-01' })).toBe('Fri 30 October – Sun 1 November')
  expect(daysText('en', { start: '2026-11-20', end: '2026-11-20' })).toBe('Fri 20 November')
})

it('a festival is some days away, then on from its first to its last day, then over', () => {
  const left = (clock: string) => daysTo(days, wallIn('Europe/Zurich', Date.parse(`${clock}+01:00`)))
  expect(left('2026-11-17T21:00')).toBe(3)
  expect(left('2026-11-20T00:30')).toBe(0)
  expect(left('2026-11-22T21:00')).toBe(0)
  // the last night belongs to the festival
  expect(left('2026-11-23T05:59')).toBe(0)
  expect(left('2026-11-23T06:00')).toBe(-1)
})

it.each(['en', 'de', 'fr'])('the days are written as CLDR writes a span of days in %s', (locale) => {
  const format = (withYear: boolean) =>
    new Intl.DateTimeFormat(`${locale}-CH`, {
      weekday: 'short',
      day: 'numeric',
      month: 'long',
      ...(withYear && { year: 'numeric' }),
      timeZone: 'UTC',
    })
  const spans = [
    ['2026-11-20', '2026-11-22'],
    ['2026-10-30', '2026-11-01'],
    ['2026-12-30', '2027-01-02'],
  ] as const
  for (const [start, end] of spans) {
    const text = format(start.slice(0, 4) !== end.slice(0, 4)).formatRange(Date.parse(start), Date.parse(end))
    expect(daysText(locale, { start, end })).toBe(
      text
        .replace(locale === 'fr' ? /(?<=\p{L}), /gu : /(?<=\p{L})[.,]+ /gu, ' ')
        .replace(/[\u2009\u202f\u00a0]/g, ' ')
        // CLDR has no ordinal for the first day of a month
        .replace(locale === 'fr' ? /(?<= )1(?= \p{L})/gu : /$^/, '1er'),
    )
  }
})
