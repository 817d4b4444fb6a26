import { expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

it.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'HtTpS://evil.example/',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/../..//evil.example',
  '/%2e%2e//evil.example',
  './/evil.example',
  '/a/..//evil.example',
  'HTTPS:/evil.example',
  'data:text/html,x',
  '?next=//evil.example',
  '\u0000/evil',
  `/${'a'.repeat(3000)}`,
  '%2f%2fevil.example',
  '@evil.example',
  'evil.example',
  '.evil.example',
  '/deals\\..\\..\\evil.example',
  '/ /evil.example',
  '/\u0000/evil.example',
  `/${'a'.repeat(2001)}`,
  '',
  null,
  undefined,
])('%j is refused: it could lead to another site', (next) => {
  expect(ownPath(next)).toBeNull()
})

it.each([
  ['/', '/'],
  ['/dashboard', '/dashboard'],
  ['/deals?q=fondue&openNow=true#list', '/deals?q=fondue&openNow=true#list'],
  ['/deal/1?x=//evil.example', '/deal/1?x=//evil.example'],
  ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ['/@evil.example', '/@evil.example'],
  ['/deals?q=a&b=//x', '/deals?q=a&b=//x'],
  ['/deal/1#top', '/deal/1#top'],
  ['/suche?q=köln', '/suche?q=k%C3%B6ln'],
  ['/forum/k%C3%A4se', '/forum/k%C3%A4se'],
  ['/a/../deals', '/deals'],
])('%s is a page of ours', (next, path) => {
  expect(ownPath(next)).toBe(path)
  expect(new URL(path, 'https://deals.example').origin).toBe('https://deals.example')
})
