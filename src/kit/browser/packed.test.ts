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

it('reads what was written, whatever it holds', () => {
  const value = {
    titles: ['"Duo" | Trio', 'a\\b|"c"', '</script>\u2028\n', 'Größe'],
    none: null,
    n: 1.5,
    list: [[], {}],
  }
  expect(read(pack(value))).toEqual(value)
})

it('has no quotation marks where there were none', () => {
  expect(pack([{ title: 'Nachtschiff', ends_at: null }])).not.toContain('"')
})
