import { expect, it } from 'vitest'
import { answerOf } from '../../../test/rendered.ts'
import { useWhen } from './when.ts'

const now = '2026-11-24T18:00:00Z'
const saturday = '2026-11-28T21:30:00Z'

it.each([
  ['en', 'Sat 22:30', 'Sat 22:30', 'Sat'],
  ['de', 'Sa 22:30', 'Sa 22:30', 'Sa'],
  ['fr', 'Sam. 22:30', 'samedi 22:30', 'Sam.'],
] as const)('a time of another day stands in a row and in a sentence in %s', (language, row, sentence, day) => {
  const when = answerOf(useWhen, now, language)
  expect(when.rowTime(saturday)).toBe(row)
  expect(when.moment(saturday)).toBe(row)
  expect(when.time(saturday)).toBe(sentence)
  expect(when.moment(saturday, true)).toBe(sentence)
  expect(when.dayName(saturday)).toBe(day)
})

it('a span of two times has a closed dash', () => {
  expect(answerOf(useWhen, now).span('2026-11-24T19:00:00Z', '2026-11-24T23:00:00Z')).toBe('20:00–00:00')
})
