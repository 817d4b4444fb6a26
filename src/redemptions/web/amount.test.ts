import { expect, it } from 'vitest'
import { amountOf } from './amount.ts'

it.each([
  ['12.50', 12.5],
  ['12,5', 12.5],
  ['CHF 8.–', 8],
  [' 1’200 ', 1200],
  ['0', 0],
  ['100000', 100_000],
  ['', null],
  ['100001', null],
  ['1.005', null],
  ['-1', null],
  ['12.5.0', null],
  ['zwölf', null],
])('"%s" as an amount is %s', (typed, amount) => expect(amountOf(typed)).toBe(amount))
