import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { repeatsOf } from './repeat-rule.ts'

const repeats = (start: string, rule: string, until = '9999-01-01', budget = { days: 1e6 }) => {
  const found = repeatsOf({
    start: Temporal.PlainDateTime.from(start),
    rule,
    isWithin: (wall) => Temporal.PlainDateTime.compare(wall, `${until}T23:59:59`) <= 0,
    most: 200,
    budget,
  })
  return found && { ...found, walls: found.walls.map(String) }
}

describe('a rule of a repeating entry', () => {
  it.each([
    'FREQ=DAILY;COUNT=3',
    'FREQ=DAILY;INTERVAL=2;COUNT=5',
    'FREQ=DAILY;BYDAY=SA,SU;COUNT=6',
    'FREQ=DAILY;BYMONTH=12;COUNT=4',
    'FREQ=DAILY;BYHOUR=20;BYMINUTE=0;COUNT=4',
    'FREQ=DAILY;BYHOUR=20,22;COUNT=7',
    'FREQ=WEEKLY;COUNT=4',
    'FREQ=WEEKLY;BYDAY=FR,SA,SU;COUNT=8',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,FR;COUNT=8',
    'FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SU,FR;COUNT=8',
    'FREQ=MONTHLY;COUNT=5',
    'FREQ=MONTHLY;BYDAY=-1FR;COUNT=5',
    'FREQ=MONTHLY;BYDAY=4FR,1SU;COUNT=5',
    'FREQ=MONTHLY;BYMONTHDAY=27,-1;COUNT=5',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=4',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=5',
    'FREQ=YEARLY;COUNT=4',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4FR;COUNT=4',
    'FREQ=YEARLY;BYMONTH=2,11;BYMONTHDAY=27;COUNT=5',
    'FREQ=YEARLY;BYDAY=-1SU;COUNT=4',
    'FREQ=YEARLY;BYYEARDAY=-1,331;COUNT=5',
    'FREQ=HOURLY;INTERVAL=3;COUNT=9',
  ])('%s gives the times that ical.js gives', (rule) => {
    const start = '2026-11-27T20:00:00'
    const oracle = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(start))
    const times: string[] = []
    for (let next = oracle.next(); next; next = oracle.next()) times.push(next.toString())
    // the start counts, also where the rule leaves it out
    const expected = times[0] === start ? times : [start, ...times.slice(0, -1)]
    expect(repeats(start, rule)).toEqual({ walls: expected, isCut: false })
  })

  it('ends with its last day, and is cut after as many times as asked', () => {
    expect(repeats('2026-11-27T20:00', 'FREQ=DAILY', '2026-11-29')!.walls).toHaveLength(3)
    expect(repeats('2026-11-27T20:00', 'FREQ=DAILY;COUNT=200')).toMatchObject({ isCut: false })
    const cut = repeats('2026-11-27T20:00', 'FREQ=DAILY;COUNT=999999999')!
    expect([cut.walls.length, cut.isCut]).toEqual([200, true])
    expect(repeats('2028-02-29T20:00', 'FREQ=YEARLY;COUNT=3')!.walls.slice(0, 2)).toEqual([
      '2028-02-29T20:00:00',
      '2032-02-29T20:00:00',
    ])
  })

  it.each([
    'FREQ=DAILY;INTERVAL=7;BYDAY=MO',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=MONTHLY;INTERVAL=48;BYDAY=5MO;BYMONTH=2',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=300',
    'FREQ=DAILY;INTERVAL=1000000000',
    'FREQ=YEARLY;INTERVAL=999999999',
    'FREQ=WEEKLY;BYMONTH=12;BYDAY=MO;INTERVAL=52',
  ])('%s ends, though nothing or little fits it', (rule) => {
    const budget = { days: 1e6 }
    expect(repeats('2026-11-24T20:00', rule, undefined, budget)!.walls.length).toBeLessThan(10)
    expect(budget.days).toBeGreaterThan(990_000)
  })

  it('is searched no longer than the file may', () => {
    const budget = { days: 10 }
    expect(repeats('2026-11-24T20:00', 'FREQ=DAILY;COUNT=100', undefined, budget)).toMatchObject({ isCut: true })
    expect(repeats('2026-11-24T20:00', 'FREQ=DAILY;COUNT=100', undefined, budget)!.walls).toHaveLength(1)
  })

  it.each([
    '',
    'FREQ=SECONDLY;COUNT=999999999',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=MINUTELY;BYHOUR=9',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=NEVER',
    'COUNT=3',
  ])('“%s” is not read', (rule) => expect(repeats('2026-11-24T20:00', rule)).toBeNull())
})
