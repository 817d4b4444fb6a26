import { createElement } from 'react'
import { expect, it } from 'vitest'
import { wordsOf } from '../../../test/rendered.ts'
import { DealPrice } from './DealPrice.tsx'

const at = '2026-06-20T17:30:00Z'
const deal = { price: null, price_chf: 6.5, discount: null, regular_price_chf: 8, regular_price_since: '2026-05-01' }
const told = (more: Partial<typeof deal> | { regular_price_since: null }, language: 'en' | 'de' | 'fr' = 'en') =>
  wordsOf(createElement(DealPrice, { deal: { ...deal, ...more } }), at, language)

it('a struck-out price says what it is, in each language', () => {
  expect(told({})).toBe('CHF 6.50instead of CHF 8.00')
  expect(told({}, 'de')).toContain('statt CHF 8.00')
  expect(told({}, 'fr')).toContain('au lieu de CHF 8.00')
})

it('a price is struck out only where it was higher, and known since when', () => {
  expect(told({ regular_price_since: null })).toBe('CHF 6.50')
  expect(told({ regular_price_chf: 6.5 })).toBe('CHF 6.50')
})
