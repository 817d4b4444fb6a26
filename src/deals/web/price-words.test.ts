import { expect, it } from 'vitest'
import { priceWords } from './price-words.ts'

const deal = { price: null, price_chf: null, discount: null }

it('a line of text says of a free deal that it is free, not CHF 0.00', () => {
  expect(priceWords({ ...deal, price_chf: 0, discount: 'gratis' }, 'Free')).toBe('Free')
  expect(priceWords({ ...deal, price: 'CHF 0' }, 'Free')).toBe('Free')
})

it('otherwise it says the amount, else the words of the merchant', () => {
  expect(priceWords({ ...deal, price_chf: 4.5, discount: '−20 %' }, 'Free')).toBe('CHF 4.50')
  expect(priceWords({ ...deal, price: 'from CHF 5', discount: '−20 %' }, 'Free')).toBe('from CHF 5')
  expect(priceWords({ ...deal, discount: '2 for 1' }, 'Free')).toBe('2 for 1')
})
