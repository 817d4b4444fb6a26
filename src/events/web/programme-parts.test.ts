import { expect, it } from 'vitest'
import { partsAt } from './programme-parts.ts'

const event = (title: string, from: string, until: string | null, more: object = {}) => ({
  event_id: title,
  title,
  status: 'scheduled' as const,
  starts_at: `2026-06-${from}:00Z`,
  ends_at: until && `2026-06-${until}:00Z`,
  ...more,
})
const list = [
  event('Exhibition', '19T04:00', '21T04:00', { all_day: true }),
  event('Yoga', '20T08:00', '20T09:00'),
  event('Alpha', '20T18:00', '20T19:00'),
  event('Dorfrock', '20T18:15', '20T20:00', { status: 'cancelled' }),
  event('Beta', '20T18:30', null),
  event('Gamma', '20T19:30', '20T20:30'),
]
const at = (clock: string, tooFar: string[] = []) => {
  const parts = partsAt(list, Date.parse(`2026-06-20T${clock}:00Z`), ({ title }) => tooFar.includes(title))
  const titles = (events: typeof list) => events.map(({ title }) => title)
  return { over: titles(parts.over), running: titles(parts.running), coming: titles(parts.coming) }
}

it('a list begins with what runs now, without what is over or cancelled; an exhibition comes after concerts', () => {
  expect(at('18:45')).toEqual({
    over: ['Yoga', 'Dorfrock'],
    running: ['Alpha', 'Beta', 'Exhibition'],
    coming: ['Gamma'],
  })
})

it('a page that is hours old folds what has ended since, and moves what has begun', () => {
  expect(at('19:30')).toEqual({
    over: ['Yoga', 'Alpha', 'Dorfrock', 'Beta'],
    running: ['Gamma', 'Exhibition'],
    coming: [],
  })
})

it('a running event that is too far away to arrive before its end comes last', () => {
  expect(at('18:45', ['Alpha', 'Gamma'])).toMatchObject({ running: ['Beta', 'Exhibition', 'Alpha'], coming: ['Gamma'] })
})
