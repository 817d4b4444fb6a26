import { expect, it } from 'vitest'
import { chf, chfDisplay, chfShort } from './numbers.ts'

it('prices are written the Swiss way', () => {
  expect(chf(12.5)).toBe('CHF 12.50')
  expect(chf(1234567.5)).toBe('CHF 1’234’567.50')
  expect(chfShort(0)).toBe('CHF 0')
  expect(chfShort(1196)).toBe('CHF 1’196')
  expect(chfShort(1196.5)).toBe('CHF 1’196.50')
  expect(chfDisplay(12)).toBe('CHF 12.–')
  expect(chfDisplay(12.5)).toBe('CHF 12.50')
})
