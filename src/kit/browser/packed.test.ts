import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { pack, usePacked, type Packed } from './packed.ts'

function read<Value>(packed: Packed<Value>): Value {
  const seen: Value[] = []
  function Reader() {
    seen.push(usePacked(packed))
    return null
  }
  renderToString(createElement(Reader))
  return seen[0]!
}

it('usePacked returns the value that was packed, whatever characters it holds', () => {
  const value = {
    titles: ['"Duo" | Trio', 'a\\b|"c"', '</script>\u2028\n', 'Größe'],
    none: null,
    n: 1.5,
    list: [[], {}],
  }
  expect(read(pack(value))).toEqual(value)
})

it('a packed value has no quotation marks of its own', () => {
  expect(pack([{ title: 'Nachtschiff', ends_at: null }])).not.toContain('"')
})
