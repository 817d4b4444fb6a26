import { describe, expect, it } from 'vitest'
import { suggestionsAt, peopleOf, withMention } from './mentioning.ts'

const lea = { name: 'Léa Zurbrügg', handle: 'lea-zurbruegg' }
const max = { name: 'Max Müller', handle: 'max-mueller' }
const people = [lea, max]
const meant = (text: string, all = people) => suggestionsAt(text, text.length, all).map(({ handle }) => handle)

describe('a mention that is being written', () => {
  it.each([
    ['@', ['lea-zurbruegg', 'max-mueller']],
    ['Thanks @lé', ['lea-zurbruegg']],
    ['Thanks @LE', ['lea-zurbruegg']],
    ['(@mü', ['max-mueller']],
    ['@max-m', ['max-mueller']],
    ['@max-mueller', []],
    ['@max ', []],
    ['@nobody', []],
    ['max@mü', []],
    ['https://x.ch/@max', []],
    ['', []],
  ])('%s means %j', (text, handles) => expect(meant(text)).toEqual(handles))
  it('is looked at where the caret stands', () => {
    expect(suggestionsAt('@ma, see you', 3, people)).toEqual([max])
    expect(suggestionsAt('@ma, see you', 12, people)).toEqual([])
  })
  it('shows five people at most', () => {
    const crowd = Array.from({ length: 9 }, (_, n) => ({ name: `Ann ${n}`, handle: `ann-${n}` }))
    expect(meant('@an', crowd)).toHaveLength(5)
  })
  it('is written out, with a space and the caret behind it, and the rest stays', () => {
    expect(withMention('Hi @ma, see you', 6, max)).toEqual({ body: 'Hi @max-mueller , see you', caret: 16 })
    expect(withMention('Hi @ma see you', 6, max)).toEqual({ body: 'Hi @max-mueller see you', caret: 16 })
    expect(withMention('@mueller', 2, max)).toEqual({ body: '@max-mueller ', caret: 13 })
  })
})

it('people of a topic are each who wrote, once, the last first, but no deleted account', () => {
  const author = (name: string, handle: string | null) => ({ author: { name, handle } }) as never
  expect(peopleOf([author('A', 'a'), author('B', 'b'), author('A', 'a'), author('', null)])).toEqual([
    { name: 'A', handle: 'a' },
    { name: 'B', handle: 'b' },
  ])
})
