import { describe, expect, it } from 'vitest'
import { suggestionsAt, peopleOf, withMention } from './mentioning.ts'

const lea = { name: 'Léa Zurbrügg', handle: 'lea-zurbruegg' }
const max = { name: 'Max Müller', handle: 'max-mueller' }
const people = [lea, max]
const meant = (text: string, all = people) => suggestionsAt(text, text.length, all).map(({ handle }) => handle)

describe('a mention that is being typed', () => {
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
  ])('%s suggests %j', (text, handles) => expect(meant(text)).toEqual(handles))
  it('is read at the caret', () => {
    expect(suggestionsAt('@ma, see you', 3, people)).toEqual([max])
    expect(suggestionsAt('@ma, see you', 12, people)).toEqual([])
  })
  it('suggests five people at most', () => {
    const crowd = Array.from({ length: 9 }, (_, n) => ({ name: `Ann ${n}`, handle: `ann-${n}` }))
    expect(meant('@an', crowd)).toHaveLength(5)
  })
  it('is completed, followed by a space and the caret; the rest stays', () => {
    expect(withMention('Hi @ma, see you', 6, max)).toEqual({ body: 'Hi @max-mueller , see you', caret: 16 })
    expect(withMention('Hi @ma see you', 6, max)).toEqual({ body: 'Hi @max-mueller see you', caret: 16 })
    expect(withMention('@mueller', 2, max)).toEqual({ body: '@max-mueller ', caret: 13 })
  })
})

it('each author in a topic is suggested once, the latest first, deleted accounts never', () => {
  const author = (name: string, handle: string | null) => ({ author: { name, handle } }) as never
  expect(peopleOf([author('A', 'a'), author('B', 'b'), author('A', 'a'), author('', null)])).toEqual([
    { name: 'A', handle: 'a' },
    { name: 'B', handle: 'b' },
  ])
})
