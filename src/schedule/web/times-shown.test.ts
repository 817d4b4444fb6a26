import { createElement } from 'react'
import { useTranslations } from 'use-intl'
import { expect, it } from 'vitest'
import { answerOf, wordsOf } from '../../../test/rendered.ts'
import type { ListedEvent } from '../../events/contract.ts'
import { scheduleBar } from './ScheduleBar.tsx'
import { DayTimeline } from './DayTimeline.tsx'
import { remindersText } from './reminders-text.ts'
import { useTimes } from './use-times.ts'

const now = '2026-06-20T12:00:00Z'
const event = (title: string, starts_at: string, ends_at: string) =>
  ({ event_id: title, title, starts_at, ends_at, status: 'scheduled', venue: null }) as ListedEvent
const drums = event('Drums: Night', '2026-06-20T18:00:00Z', '2026-06-20T21:00:00Z')

function clash(ends_at: string, language: 'en' | 'de' | 'fr') {
  const events = [drums, event('Choir', '2026-06-20T18:30:00Z', ends_at)]
  // oxlint-disable-next-line react/no-children-prop -- they are a function
  return wordsOf(createElement(DayTimeline, { events, children: () => null }), now, language)
}

it('a clash below an event names the next one in quotation marks, and how long both run', () => {
  expect(clash('2026-06-20T19:30:00Z', 'en')).toBe('Clashes with “Choir” for 60 min')
  expect(clash('2026-06-20T19:30:00Z', 'de')).toBe('Überschneidet sich 60 Min. lang mit «Choir»')
  expect(clash('2026-06-20T19:30:00Z', 'fr')).toBe('En même temps que «\u00a0Choir\u00a0» pendant 60 min')
})

it('a clash with an event further up names both', () => {
  const plan = [drums, event('Choir', '2026-06-20T18:30:00Z', '2026-06-20T19:00:00Z')]
  const events = [...plan, event('Brass', '2026-06-20T20:00:00Z', '2026-06-20T22:00:00Z')]
  const told = (language: 'en' | 'de' | 'fr') =>
    // oxlint-disable-next-line react/no-children-prop -- they are a function
    wordsOf(createElement(DayTimeline, { events, children: () => null }), now, language)
  expect(told('en')).toContain('“Drums: Night” clashes with “Brass” for 60 min')
  expect(told('de')).toContain('«Drums: Night» überschneidet sich 60 Min. lang mit «Brass»')
  expect(told('fr')).toContain('«\u00a0Drums: Night\u00a0» en même temps que «\u00a0Brass\u00a0» pendant 60 min')
})

it('events far apart with nothing between them have no break, and no "0 min"', () => {
  const at = (latitude: number) => ({ venue_id: String(latitude), venue_name: 'x', latitude, longitude: 7.59 })
  const here = { ...drums, venue: at(47.56) }
  const there = { ...event('Choir', drums.ends_at!, '2026-06-20T23:00:00Z'), venue: at(47.568) }
  const told = (language: 'en' | 'de' | 'fr') =>
    wordsOf(
      // oxlint-disable-next-line react/no-children-prop -- they are a function
      createElement(DayTimeline, { events: [here, there] as ListedEvent[], children: () => null }),
      now,
      language,
    )
  expect(told('en')).toContain('min on foot, but no break between them.')
  expect(told('de')).toContain('Min. zu Fuss, aber keine Pause dazwischen.')
  expect(told('fr')).toContain('min à pied, mais aucune pause entre les deux.')
})

it.each([
  [[0], 'at the start', 'zum Beginn', 'au début'],
  [[10], '10 min before', '10 Min. vorher', '10 min avant'],
  [[0, 5], 'at the start and 5 min before', 'zum Beginn und 5 Min. vorher', 'au début et 5 min avant'],
  [[0, 5, 10], 'at the start, 5 and 10 min before', 'zum Beginn, 5 und 10 Min. vorher', 'au début, 5 et 10 min avant'],
  [[5, 10, 60], '5, 10 and 60 min before', '5, 10 und 60 Min. vorher', '5, 10 et 60 min avant'],
])('reminders %j are told as "%s"', (reminders, ...told) => {
  function Told() {
    return useTranslations('saving')('remindersSet', remindersText(reminders))
  }
  expect((['en', 'de', 'fr'] as const).map((language) => wordsOf(createElement(Told), now, language))).toEqual(told)
})

it('deals are offered in a gap of eight hours, not in a longer one, which is a night', () => {
  const venue = { venue_id: 'a', venue_name: 'x', latitude: 47.56, longitude: 7.59 }
  const gapUntil = (starts_at: string) => {
    const events = [drums, event('Choir', starts_at, '2026-06-21T07:00:00Z')].map((each) => ({ ...each, venue }))
    // oxlint-disable-next-line react/no-children-prop -- they are a function
    const timeline = { events: events as ListedEvent[], withDeals: true, children: () => null }
    return wordsOf(createElement(DayTimeline, timeline), now, 'en')
  }
  expect(gapUntil('2026-06-21T05:00:00Z')).toContain('Deals for this gap')
  expect(gapUntil('2026-06-21T05:01:00Z')).not.toContain('Deals for this gap')
})

it('a clash of two hours or more is shown in hours', () => {
  expect(clash('2026-06-20T20:29:00Z', 'en')).toMatch(/for 119 min$/)
  expect(clash('2026-06-20T20:30:00Z', 'en')).toMatch(/for 2 h$/)
  expect(clash('2026-06-20T20:45:00Z', 'en')).toMatch(/for 2 h 15 min$/)
})

it('an event after midnight is printed with its own weekday beside the time', () => {
  const { otherDay } = answerOf(useTimes, now)
  expect(otherDay({ starts_at: '2026-11-24T23:00:00Z', festival_day: '2026-11-24' })).toBe('Wed')
  expect(otherDay({ starts_at: '2026-11-24T22:59:00Z', festival_day: '2026-11-24' })).toBeNull()
})

it('an event that is over cannot be added to a schedule', () => {
  const button = (isOver: boolean) => wordsOf(scheduleBar(drums, true, isOver), now)
  expect(button(false)).toBe('Add to My Schedule')
  expect(button(true)).toBe('')
})
