import { describe, expect, it } from 'vitest'
import { email, nameOf, unfitForName } from './input.ts'

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
    ['\u2800 \u3164', 'invisible'],
    ['Bar\u202egnp.exe', 'unreadable'],
    ['\u2066Bar', 'unreadable'],
    [`Z${'\u0301'.repeat(79)}`, 'unreadable'],
  ])('may not be %j: %s', (name, why) => {
    expect(unfitForName(name)).toBe(why)
    expect(nameOf({ max: 80 }).safeParse(name).success).toBe(false)
  })
})

describe('an email address', () => {
  it.each([
    'lena@example.org',
    'l.m+deals@mail.example.co.uk',
    "o'hara@example.ie",
    'zoë@müller.ch',
    'a@xn--bcher-kva.ch',
    '用户@例子.广告',
    `${'x'.repeat(64)}@example.org`,
  ])('may be %s', (address) => expect(email().safeParse(address).success).toBe(true))
  it.each([
    'nobody',
    'a@b',
    'a@b..ch',
    'a@.b.ch',
    'a@b.ch.',
    'a@[127.0.0.1]',
    'a@[ipv6:::1]',
    'a b@c.ch',
    'a@b.ch,c@d.ch',
    'Lena <a@b.ch>',
    'a\u200b@b.ch',
    'a@b\u202e.ch',
    'a\u00ad@b.ch',
    'a@b.ch\r\nBcc: c@d.ch',
    `${'x'.repeat(65)}@example.org`,
  ])('may not be %j', (address) => expect(email().safeParse(address).success).toBe(false))
  it('is checked within 500 ms, however long and odd it is', () => {
    const before = process.threadCpuUsage()
    for (const part of ['a.', 'a', '.', '@', 'é']) expect(email().safeParse(`a@${part.repeat(99)}`).success).toBe(false)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(500)
  })
})
