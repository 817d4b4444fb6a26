import { expect, it } from 'vitest'
import { decimalText, distanceText, francs, numberText, percentText } from './numbers.ts'

it.each([
  [0, '0', '0', '0'],
  [999, '999', '999', '999'],
  [1000, '1,000', '1’000', '1\u202f000'],
  [1234567.25, '1,234,567.25', '1’234’567.25', '1\u202f234\u202f567,25'],
  [-1000, '-1,000', '-1’000', '-1\u202f000'],
  [0.123456, '0.123', '0.123', '0,123'],
])('%d has the separators of each language', (number, en, de, fr) => {
  expect(numberText('en', number)).toBe(en)
  expect(numberText('de', number)).toBe(de)
  expect(numberText('fr', number)).toBe(fr)
})

it('a mean keeps its decimal, with a comma in French', () => {
  expect(decimalText('en', 4, 1)).toBe('4.0')
  expect(decimalText('de', 4.26, 1)).toBe('4.3')
  expect(decimalText('fr', 4.26, 1)).toBe('4,3')
})

it('English writes percent without a space', () => {
  expect(percentText('en', 41)).toBe('41%')
  expect(percentText('de', '+41')).toBe('+41\u00a0%')
  expect(percentText('fr', 4.9)).toBe('4,9\u00a0%')
})

it('money is written the Swiss way in every language', () => {
  expect(francs(12.5)).toBe('12.50')
  expect(francs(1234567.5)).toBe('1’234’567.50')
})

it('distances below a kilometre are in metres, rounded to ten', () => {
  const distance = (km: number, locale = 'en') => distanceText(locale, km)
  expect(distance(0.003)).toBe('10 m')
  expect(distance(0.352)).toBe('350 m')
  expect(distance(0.9999)).toBe('1.0 km')
  expect(distance(1.24, 'de')).toBe('1.2 km')
  expect(distance(1.24, 'fr')).toBe('1,2 km')
  expect(distance(12.4)).toBe('12 km')
  expect(distance(6251.4)).toBe('6,251 km')
})
