import { expect, it } from 'vitest'
import { nextToBring } from './picked-events.ts'

it('Of many events of a friend, those not in the schedule yet are imported, 200 at once', () => {
  const events = Array.from({ length: 450 }, (_, n) => ({ event_id: `event-${n}` }))
  const there = new Set<string>()
  const sizes: number[] = []
  for (let next: string[]; (next = nextToBring(events, there)).length > 0;) {
    sizes.push(next.length)
    for (const id of next) there.add(id)
  }
  expect(sizes).toEqual([200, 200, 50])
})
