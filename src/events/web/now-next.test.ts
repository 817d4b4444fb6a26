import { expect, it } from 'vitest'
import { running, type StageNow } from './NowNext.tsx'

const event = (title: string, from: string, until: string | null) => ({
  event_id: title,
  title,
  status: 'scheduled' as const,
  starts_at: `2026-06-20T${from}:00Z`,
  ends_at: until && `2026-06-20T${until}:00Z`,
})
const stages: StageNow[] = [
  {
    stage_id: 'river',
    stage: 'River',
    now: event('Alpha', '18:00', '19:00'),
    next: event('Beta', '19:30', '20:30'),
  },
  { stage_id: 'hall', stage: 'Hall', now: event('Gamma', '18:30', null), next: null },
]
const shownAt = (clock: string) =>
  running(stages, Date.parse(`2026-06-20T${clock}:00Z`)).map(
    ({ stage, now, next }) => `${stage}: ${now?.title ?? ''}, ${next?.title ?? ''}`,
  )

it.each([
  ['18:45', ['River: Alpha, Beta', 'Hall: Gamma, ']],
  ['19:00', ['River: , Beta', 'Hall: Gamma, ']],
  ['19:30', ['River: Beta, ']],
  ['20:30', []],
])('at %s a page of 18:45 says %j is what stages play now and next', (clock, shown) => {
  expect(shownAt(clock)).toEqual(shown)
})
