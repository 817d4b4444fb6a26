import { expect, it } from 'vitest'
import { grouped } from './grouped.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1’000'],
  [1234567.25, '1’234’567.25'],
  [-1000, '-1’000'],
  [0.123456, '0.123'],
])('groups %d as %s', (number, text) => {
  expect(grouped(number)).toBe(text)
})
