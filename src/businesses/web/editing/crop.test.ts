import { expect, it } from 'vitest'
import { moved, partOf, wholeCrop } from './crop.ts'

const wide = { width: 4000, height: 1000 }

it('a crop begins with the middle of the picture', () => {
  expect(partOf(wide, 4 / 3, wholeCrop)).toEqual({ width: 1000 * (4 / 3), height: 1000, left: 2000 - 2000 / 3, top: 0 })
})
it('a crop never reaches beyond the edges, however far the picture is moved', () => {
  const right = moved(wide, 4 / 3, wholeCrop, { x: -50, y: -50 })
  const part = partOf(wide, 4 / 3, right)
  expect(part.left + part.width).toBeCloseTo(4000)
  expect(part.top + part.height).toBeCloseTo(1000)
  // a move back shows at once
  expect(partOf(wide, 4 / 3, moved(wide, 4 / 3, right, { x: 0.5, y: 0 })).left).toBeLessThan(part.left)
})
it('a crop with more zoom holds less of the picture', () => {
  expect(partOf(wide, 4 / 3, { ...wholeCrop, zoom: 2 }).height).toBe(500)
})
