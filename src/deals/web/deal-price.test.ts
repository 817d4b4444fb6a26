import { createElement } from 'react'
import { expect, it } from 'vitest'
import { wordsOf } from '../../../test/rendered.ts'
import type { DealValue } from '../contract.ts'
import { DealPrice } from './DealPrice.tsx'

const at = '2026-06-20T17:30:00Z'
const deal = { price: null, price_chf: 6.5, discount: null, regular_price_chf: 8, regular_price_since: '2026-05-01' }
const shown = (more: Partial<DealValue>, language: 'en' | 'de' | 'fr' = 'en') =>
  wordsOf(createElement(DealPrice, { deal: { ...deal, ...more } }), at, language)

it('a struck-out price is named as such in each language', () => {
  expect(shown({})).toBe('CHF 6.50instead of CHF 8.–')
  expect(shown({}, 'de')).toContain('statt CHF 8.–')
  expect(shown({}, 'fr')).toContain('au lieu de CHF 8.–')
})

it('a struck-out price has the format of the new one, and says the discount by itself', () => {
  expect(shown({ price_chf: 9, regular_price_chf: 13, discount: '30 %' })).toBe('CHF 9.–instead of CHF 13.–')
  expect(shown({ price_chf: 9, regular_price_chf: null, discount: '30 %' })).toBe('CHF 9.–30 %')
})

it('a price is struck out only if it was higher and its first day is known', () => {
  expect(shown({ regular_price_since: null })).toBe('CHF 6.50')
  expect(shown({ regular_price_chf: 6.5 })).toBe('CHF 6.50')
})
