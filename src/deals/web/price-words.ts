import { chf } from '../../kit/shared/numbers.ts'
import type { Deal } from '../contract.ts'
import { amountOf } from './DealPrice.tsx'

/** The price in a line of text: "CHF 4.50", "2 for 1", or the word `free`. */
export function priceWords(deal: Pick<Deal, 'price' | 'price_chf' | 'discount'>, free: string): string | null {
  const amount = amountOf(deal)
  if (amount === 0) return free
  return amount === null ? deal.price || deal.discount : chf(amount)
}
