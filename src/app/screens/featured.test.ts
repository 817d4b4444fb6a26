import { expect, it } from 'vitest'
import { featured } from './featured.ts'

const now = Date.parse('2026-06-20T17:30:00Z')
const tonight = Date.parse('2026-06-21T04:00:00Z')
const at = { now, tonight }
const begins = { soon: '2026-06-20T19:00:00Z', later: '2026-06-20T21:00:00Z', tomorrow: '2026-06-21T09:00:00Z' }
const deal = (
  deal_id: string,
  business_id: string,
  wait: 'now' | 'unknown' | keyof typeof begins,
  knowsHours = true,
) => ({
  deal_id,
  business_id,
  open_now: wait === 'unknown' || !knowsHours ? null : wait === 'now',
  usable_now: wait === 'unknown' ? null : wait === 'now',
  usable_from: wait === 'now' || wait === 'unknown' ? null : begins[wait],
})
const ids = (deals: { deal_id: string }[]) => deals.map(({ deal_id }) => deal_id)

it('home shows deals that can be used now before those that begin soon', () => {
  const promoted = [deal('p1', 'a', 'later'), deal('p2', 'b', 'now')]
  const others = [deal('o1', 'c', 'unknown'), deal('o2', 'd', 'soon'), deal('o3', 'e', 'now'), deal('o4', 'f', 'now')]
  expect(ids(featured(promoted, others, 4, at))).toEqual(['p2', 'o3', 'o4', 'o2'])
})

it('home shows deals that begin later today before a promoted deal of tomorrow', () => {
  const promoted = [deal('p1', 'a', 'tomorrow'), deal('p2', 'b', 'soon')]
  const others = [deal('o1', 'c', 'unknown'), deal('o2', 'd', 'later')]
  expect(ids(featured(promoted, others, 4, at))).toEqual(['p2', 'o1', 'o2', 'p1'])
})

it("home does not count a deal as soon when its merchant's hours are unknown", () => {
  const others = [deal('o1', 'a', 'tomorrow', false), deal('o2', 'b', 'soon', false), deal('o3', 'c', 'soon')]
  expect(ids(featured([], others, 4, at))).toEqual(['o3', 'o2', 'o1'])
})

it('home shows at most two deals of one merchant, and each deal once', () => {
  const promoted = [deal('p1', 'a', 'now'), deal('p2', 'a', 'now'), deal('p3', 'a', 'now')]
  const others = [deal('p1', 'a', 'now'), deal('o1', 'b', 'later')]
  expect(ids(featured(promoted, others, 4, at))).toEqual(['p1', 'p2', 'o1'])
})
