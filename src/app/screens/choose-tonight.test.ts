import { describe, expect, it } from 'vitest'
import type { ListedEvent } from '../../events/contract.ts'
import { wayOf } from '../../kit/browser/here-and-now.ts'
import { actsHere } from './acts-here.ts'
import { actsOf, type Act } from './choose-tonight.ts'

const now = Date.parse('2026-06-20T19:30:00Z')
const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

const event = (title: string, from: number, until: number, more: Partial<ListedEvent> = {}) =>
  ({
    event_id: title,
    title,
    status: 'scheduled',
    category: 'music',
    starts_at: inMinutes(from),
    ends_at: inMinutes(until),
    all_day: false,
    stage: 'Bühne',
    venue: null,
    ...more,
  }) as ListedEvent
const stage = (now: ListedEvent | null, next: ListedEvent | null = null) => ({ now, next })
const titles = (acts: readonly Act[]) => acts.map(({ title }) => title)

describe('the acts on home', () => {
  it('are running ones, the latest first, then the next ones within two hours', () => {
    const acts = actsOf(
      [
        stage(event('Half over', -60, 20), event('Later', 30, 90)),
        stage(event('Just begun', -5, 60)),
        stage(null, event('Soon', 10, 70)),
        stage(null, event('Far', 121, 180)),
      ],
      [],
      now,
    )
    expect(titles(acts)).toEqual(['Just begun', 'Half over', 'Soon', 'Later'])
  })

  it('are music before anything else that runs', () => {
    const talk = event('Talk', -5, 60, { category: 'culture' })
    expect(titles(actsOf([stage(talk), stage(event('Band', -30, 60))], [], now))).toEqual(['Band', 'Talk'])
  })

  it('are no exhibition, nothing cancelled and nothing that ends in a few minutes', () => {
    const acts = actsOf(
      [
        stage(event('Exhibition', -60, 60, { all_day: true })),
        stage(event('For days', -60, 3000)),
        stage(event('Ending', -60, 9)),
        stage(null, event('Off', 10, 60, { status: 'cancelled' })),
      ],
      [],
      now,
    )
    expect(acts).toEqual([])
  })

  it('are the first ones to come where nothing runs and nothing is next', () => {
    const first = event('Opening', 2880, 2940)
    expect(titles(actsOf([], [first, first, event('Second', 2900, 2950)], now))).toEqual(['Opening', 'Second'])
  })

  it('are, with a position, those first that one reaches before they end; those that are over go', () => {
    const place = (latitude: number) => ({ latitude, longitude: 7.6 })
    const acts = [
      { ...event('Over', -60, -1), ...place(1) },
      { ...event('Far', -60, 30), ...place(9) },
      { ...event('Near', -60, 20), ...place(1) },
    ] as unknown as Act[]
    const way = ({ latitude }: { latitude?: number | null }) => wayOf(latitude ?? 0, true)
    expect(titles(actsHere(acts, { now, way }))).toEqual(['Near', 'Far'])
    expect(titles(actsHere(acts, { now, way: ({ latitude }) => wayOf(latitude ?? 0, false) }))).toEqual(['Far', 'Near'])
  })
})
