import { describe, expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

describe('a wish to go on after a login', () => {
  it.each([
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['https://evil.example'],
    ['https:evil.example'],
    ['HTTPS:/evil.example'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    [' //evil.example'],
    ['@evil.example'],
    ['evil.example'],
    ['.//evil.example'],
    ['/..//evil.example'],
    ['/.//evil.example'],
    ['/a/..//evil.example'],
    ['?next=//evil.example'],
    [''],
    [`/${'a'.repeat(3000)}`],
    ['\u0000/evil'],
  ])('%j goes to the default page', (wish) => expect(ownPath(wish, '/dashboard')).toBe('/dashboard'))
  it.each([
    ['/deals?q=a&b=//x', '/deals?q=a&b=//x'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
    ['/@evil.example', '/@evil.example'],
    ['/deal/1#top', '/deal/1#top'],
    ['/suche?q=köln', '/suche?q=k%C3%B6ln'],
  ])('%j stays here as %s', (wish, path) => {
    expect(ownPath(wish)).toBe(path)
    expect(new URL(ownPath(wish), 'https://own.example').origin).toBe('https://own.example')
  })
  it('nothing goes home', () => {
    expect(ownPath(null)).toBe('/')
    expect(ownPath(undefined)).toBe('/')
  })
})
