import { describe, expect, it } from 'vitest'
import { nameOf, unfitForName } from './input.ts'

describe('a name', () => {
  it.each([
    'Café Rhein',
    'Z',
    '169West',
    '%',
    '🎵',
    'Zoë',
    'Z̈oé',
    'ทั้งนี้',
    'བོད་',
    'محل الزهور',
    'Łódź',
    '神戸',
    'न्यू दिल्ली',
  ])('may be %s', (name) => {
    expect(unfitForName(name)).toBeNull()
    expect(nameOf({ max: 80 }).safeParse(name).success).toBe(true)
  })
  it.each([
    ['\u200b', 'invisible'],
    ['\u00ad', 'invisible'],
    ['\u2060\ufeff', 'invisible'],
    ['\ufffe\uffff', 'invisible'],
    ['Bar\u202egnp.exe', 'unreadable'],
    ['\u2066Bar', 'unreadable'],
    [`Z${'\u0301'.repeat(79)}`, 'unreadable'],
  ])('may not be %j: %s', (name, why) => {
    expect(unfitForName(name)).toBe(why)
    expect(nameOf({ max: 80 }).safeParse(name).success).toBe(false)
  })
})
