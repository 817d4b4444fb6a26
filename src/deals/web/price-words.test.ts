import { expect, it } from 'vitest'
import { priceWords } from './price-words.ts'

const deal = { price: null, price_chf: null, discount: null }

it('a free deal is "free" in a line of text, not CHF 0.00', () => {
  expect(priceWords({ ...deal, price_chf: 0, discount: 'gratis' }, 'Free')).toBe('Free')
  expect(priceWords({ ...deal, price: 'CHF 0' }, 'Free')).toBe('Free')
})

it('a price in a line of text is the amount, else the merchant’s words', () => {
  expect(priceWords({ ...deal, price_chf: 4.5, discount: '−20 %' }, 'Free')).toBe('CHF 4.50')
  expect(priceWords({ ...deal, price: 'from CHF 5', discount: '−20 %' }, 'Free')).toBe('from CHF 5')
  expect(priceWords({ ...deal, discount: '2 for 1' }, 'Free')).toBe('2 for 1')
})
