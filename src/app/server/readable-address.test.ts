import { describe, expect, it } from 'vitest'
import { safeUrl } from './pages.ts'
import { readableAddress } from './server.ts'

it.each([
  ['/deals?q=100%', '/deals?q=100%'],
  ['/deal/R%C3%B6sti', '/deal/R%C3%B6sti'],
  ['/100%', '/100%25'],
  ['/%ff/x%20y?q=%ff', '/%25ff/x%2520y?q=%ff'],
  ['/a%0ab?q=%0a', '/a%250ab?q=%0a'],
  ['/%e2%80%a8', '/%25e2%2580%25a8'],
  ['/api/deals/%ff', '/api/deals/%ff'],
])('%s is read as %s', (asked, read) => expect(readableAddress(asked)).toBe(read))

describe('the address of a requested page', () => {
  it.each([
    ['/deals?q=a?b', '/deals?q=a?b'],
    ['//deals', '/deals'],
    ['//evil.example/', '/evil.example/'],
    ['/\\evil.example/', '/evil.example/'],
    ['/\\\\/evil.example/deals', '/evil.example/deals'],
    ['/.//evil.example/deals', '/evil.example/deals'],
    ['/a/..//evil.example', '/evil.example'],
    ['/%5cevil.example', '/%5cevil.example'],
  ])('%s stays on this site: %s', (target, read) => {
    expect(safeUrl(target, 'https://own.example')?.href).toBe(`https://own.example${read}`)
  })
  it.each(['http://evil.example/', '*', '/%ff'])('%s cannot be read', (target) =>
    expect(safeUrl(target, 'https://own.example')).toBeNull(),
  )
})
