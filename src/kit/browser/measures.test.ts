import { expect, it } from 'vitest'
import { chf, chfDisplay, chfShort, distance, footMinutes } from './measures.ts'

it('prices are written the Swiss way', () => {
  expect(chf(12.5)).toBe('CHF 12.50')
  expect(chf(1234567.5)).toBe('CHF 1’234’567.50')
  expect(chfShort(0)).toBe('CHF 0')
  expect(chfShort(1196)).toBe('CHF 1’196')
  expect(chfShort(1196.5)).toBe('CHF 1’196.50')
  expect(chfDisplay(12)).toBe('CHF 12.–')
  expect(chfDisplay(12.5)).toBe('CHF 12.50')
})

it('distances below a kilometre are in metres, rounded to ten', () => {
  expect(distance(0.003)).toBe('10 m')
  expect(distance(0.352)).toBe('350 m')
  expect(distance(0.9999)).toBe('1.0 km')
  expect(distance(1.24)).toBe('1.2 km')
  expect(distance(12.4)).toBe('12 km')
  expect(distance(6251.4)).toBe('6’251 km')
})

it('walking minutes are null for distances that nobody would walk', () => {
  expect(footMinutes(0.35)).toBe(6)
  expect(footMinutes(9)).toBeNull()
})
