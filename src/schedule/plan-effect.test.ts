import { expect, it } from 'vitest'
import { effectOn, type Planned } from './plan-effect.ts'

const bridge = { latitude: 47.5602, longitude: 7.5903 }
/** About 1 km from the bridge: 16 min on foot. */
const harbour = { latitude: 47.569, longitude: 7.5903 }
const at = (title: string, from: string, to: string, venue: Planned['venue'] = bridge): Planned => ({
  event_id: title,
  title,
  starts_at: `2026-06-20T${from}:00Z`,
  ends_at: `2026-06-20T${to}:00Z`,
  venue,
})
const before = at('Glasshouse', '18:00', '19:00')

it('a moved event names the first event that it clashes with only now', () => {
  const after = at('Glasshouse', '20:30', '21:30')
  const others = [at('Later', '21:00', '22:00'), at('Hochwasser', '20:00', '21:00')]
  expect(effectOn(before, after, others)).toEqual({ kind: 'clash', other: 'Hochwasser' })
})

it('a clash that was there before is no news', () => {
  const after = at('Glasshouse', '18:10', '19:10')
  expect(effectOn(before, after, [at('Hochwasser', '18:30', '19:30')])).toEqual({ kind: 'none' })
})

it('a moved event says when to leave the one before', () => {
  const after = at('Glasshouse', '20:30', '21:30', harbour)
  expect(effectOn(before, after, [at('Hochwasser', '19:00', '20:00')])).toEqual({
    kind: 'leave',
    leave_at: '2026-06-20T20:14:00.000Z',
    other: 'Hochwasser',
  })
})

it('nothing is said of the way at one place, after hours, or with an empty plan', () => {
  const after = at('Glasshouse', '20:30', '21:30')
  expect(effectOn(before, after, [at('Hochwasser', '19:00', '20:00')])).toEqual({ kind: 'none' })
  const far = at('Glasshouse', '20:30', '21:30', harbour)
  expect(effectOn(before, far, [at('Morning', '09:00', '10:00')])).toEqual({ kind: 'none' })
  expect(effectOn(before, far, [])).toEqual({ kind: 'none' })
})
