import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  answerDegrees,
  answerId,
  answerInstant,
  answerList,
  answerName,
  answerText,
  orUnread,
} from '../shared/answer.ts'
import { endpoint } from '../shared/endpoint.ts'
import { richText } from '../shared/rich-text.ts'
import { readable } from './ask.ts'

const reading = (answer: z.ZodType) =>
  readable(endpoint({ method: 'GET', path: '/api/x', summary: 'x', tag: 'x', access: 'public', answer, refusals: [] }))
    .read
const field = (shape: z.ZodType, value: unknown) =>
  (reading(z.object({ field: shape, other: z.boolean() }))({ field: value, other: true }) as { field: unknown })?.field

const choice = z.enum(['a', 'b'])
const part = z.object({ id: answerId, n: z.number() })

it.each<[string, z.ZodType, unknown, unknown]>([
  ['a text that is a number', answerText(9), 12, '12'],
  ['a text that is missing', answerText(9), undefined, ''],
  ['a name that is empty', answerName(9), '', '–'],
  ['a nullable text', answerText(9).nullable(), {}, null],
  ['a number that is a text', z.number(), '12.5', 12.5],
  ['NaN', z.number(), Number.NaN, 0],
  ['a nullable number', z.number().nullable(), 'x', null],
  ['a latitude of 95 degrees', answerDegrees(90).nullable(), 95, null],
  ['a flag that is a text', z.boolean(), 'true', true],
  ['a flag that is missing', z.boolean().meta({ unread: true }), undefined, true],
  ['an unknown choice', choice.meta({ unread: 'b' }), 'c', 'b'],
  ['an unknown choice that may be null', choice.nullable(), 'c', null],
  ['an invalid instant', answerInstant, 'soon', ''],
  ['an invalid day', z.iso.date(), '5 June', ''],
  [
    'a text that does not match its form',
    answerText(5)
      .meta({ form: /^\d\d:\d\d$/ })
      .nullable(),
    'noon',
    null,
  ],
  ['a text instead of a list', answerList(answerText(9), 9), 'x', []],
  ['unreadable items of a list', answerList(part, 9), [{ id: 1 }, {}, null, { n: 2 }], [{ id: '1', n: 0 }]],
  ['unknown choices in a list', answerList(choice, 9), ['a', 'x', null], ['a']],
  ['an object that may be null', part.nullable(), [], null],
  ['a missing optional number', orUnread(z.number()), undefined, null],
  [
    'a rich text with unknown elements',
    richText(9),
    ['a', { e: 'script' }, { e: 'em', c: ['b'] }],
    ['a', { e: 'em', c: ['b'] }],
  ],
])('reads %s', (_name, shape, value, expected) => {
  expect(field(shape, value)).toEqual(expected)
})

it('an object is unreadable without a field that it needs', () => {
  for (const shape of [
    answerId,
    part,
    answerText(9).meta({ unread: undefined }),
    z.number().meta({ unread: undefined }),
  ])
    expect(field(shape, undefined)).toBeUndefined()
})

it('unreadable optional fields and unknown fields are left out', () => {
  const read = reading(z.object({ id: answerId, part: part.optional() }))
  expect(read({ id: 'x', part: [], more: 1 })).toEqual({ id: 'x' })
})

it('a union is read as the object that shares most of its fields', () => {
  const read = reading(z.array(z.union([part, z.object({ cluster: z.number() })])))
  expect(read([{ cluster: '3' }, { id: 'x' }])).toEqual([{ cluster: 3 }, { id: 'x', n: 0 }])
})

it('an enum that is never null must say what an unknown value becomes', () => {
  expect(() => reading(z.object({ state: choice }))).toThrow('answer.state is an enum without "unread"')
})
