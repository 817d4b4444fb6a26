import { expect, it } from 'vitest'
import { readableAddress } from './server.ts'

it.each([
  ['/deals?q=100%', '/deals?q=100%'],
  ['/deal/R%C3%B6sti', '/deal/R%C3%B6sti'],
  ['/100%', '/100%25'],
  ['/%ff/x%20y?q=%ff', '/%25ff/x%2520y?q=%ff'],
  ['/api/deals/%ff', '/api/deals/%ff'],
])('%s is read as %s', (asked, read) => expect(readableAddress(asked)).toBe(read))
