import { describe, expect, it } from 'vitest'
import { parseOpeningHours } from '../../server/opening-hours.ts'
import { closedWeek, textOf, weekIn } from './week-text.ts'

const place = { latitude: 47.56, longitude: 7.59, canton: 'BS' }

describe('a week of opening hours', () => {
  it.each([
    'Mo-Fr 08:00-18:00; Sa 10:00-02:00',
    'Mo-Su 11:00-14:00,17:00-22:30',
    'Tu-Sa 18:00-02:00; PH off',
    'Mo,Tu 09:00-12:00; Th 09:00-12:00',
    'Mo-Fr 08:00-24:00; PH 10:00-12:00',
    '24/7',
    'Sa,Su 00:00-24:00',
    'PH 10:00-12:00',
    '',
  ])('is read and written alike, and the server understands it: %s', (text) => {
    const read = weekIn(text)!
    expect(textOf(read.week, read.holidays).replaceAll('-00:00', '-24:00')).toBe(text)
    if (text) expect(parseOpeningHours(textOf(read.week, read.holidays), place).known).toBe(true)
  })
  it.each([
    'Mo-Fr 08:00+',
    'sunrise-sunset',
    'Apr-Sep: Mo-Fr 08:00-18:00',
    'Mo[1] 10:00-12:00',
    'by appointment',
    'Mo-PH 08:00-10:00',
    'PH off; Mo-Su 10:00-18:00',
    'Mo-Su,PH 10:00-18:00; Su off',
  ])('is none where a table cannot hold it: %s', (text) => expect(weekIn(text)).toBeNull())
  it('says later rules of the same day', () =>
    expect(weekIn('Mo-Su 08:00-18:00; Su off')!.week).toMatchObject({ Sa: [{ opens: '08:00' }], Su: [] }))
  it('leaves out half typed times', () => {
    const week = closedWeek()
    week.Mo = [{ opens: '08:00', closes: '' }]
    expect(textOf(week, 'asWeekday')).toBe('')
  })
})
