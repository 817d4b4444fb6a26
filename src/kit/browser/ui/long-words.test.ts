import { expect, it } from 'vitest'
import { headlineType } from './long-words.ts'

it('a headline is small enough for its longest word, unless no readable size is', () => {
  const stepOf = (text: string) => /word-of-\d+/.exec(headlineType(text))?.[0]
  expect(stepOf('Brunch')).toBeUndefined()
  expect(stepOf('Feuerwehrmusik')).toBe('word-of-9')
  expect(stepOf('Donaudampfschifffahrtsgesellschaft')).toBe('word-of-20')
  expect(stepOf('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau')).toBe('word-of-11')
})
