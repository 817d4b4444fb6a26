import { describe, expect, it } from 'vitest'
import { foldEmail, readEmail } from './email-address.ts'

describe('one address in several spellings', () => {
  it.each([
    ['lena@müller.ch', 'lena@xn--mller-kva.ch'],
    ['lena@MÜLLER.ch', 'lena@xn--mller-kva.ch'],
    ['lena@XN--MLLER-KVA.CH', 'lena@xn--mller-kva.ch'],
    ['lena@mu\u0308ller.ch', 'lena@xn--mller-kva.ch'],
    ['lena@mail.example。org', 'lena@mail.example.org'],
    ['lena@mail．example｡org', 'lena@mail.example.org'],
    ['lena@ｅｘａｍｐｌｅ.org', 'lena@example.org'],
    ['lena@exam\u2170ple.org', 'lena@examiple.org'],
    ['Lena@Example.ORG', 'Lena@example.org'],
    ['zoe\u0308@example.org', 'zoë@example.org'],
    ['\u212Aim@example.org', 'Kim@example.org'],
    ['lena@straße.ch', 'lena@xn--strae-oqa.ch'],
    ['lena@faß.example', 'lena@xn--fa-hia.example'],
  ])('%s is stored and mailed as %s', (typed, email) => {
    expect(readEmail(typed)).toEqual({ email, folded: email.toLowerCase() })
    expect(foldEmail(` ${typed} `)).toBe(email.toLowerCase())
  })
  it('has the same key whatever the case of its letters', () => {
    for (const [one, other] of [
      ['ZOË@example.org', 'zoë@example.org'],
      ['ΟΔΟΣ@example.gr', 'οδος@example.gr'],
      ['ИВАН@example.org', 'иван@example.org'],
    ] as const)
      expect(foldEmail(one)).toBe(foldEmail(other))
  })
})

describe('an address that reads like another one', () => {
  const confusing = [
    'ｖictim@example.org',
    'ⓥictim@example.org',
    '𝐯ictim@example.org',
    'kım@example.org',
    'kİm@example.org',
    'groß@example.org',
    'meſſer@example.org',
    'oﬃce@example.org',
    'vіctim@example.org',
    'аdmin@example.org',
    'lεna@example.org',
    'οδοσ@example.gr',
    'x\u0323\u0301y@example.org',
    'first‐last@example.org',
    'first․last@example.org',
    'a＠b@example.org',
    'jazz🎷@example.org',
    'lena用户@example.org',
  ]
  it.each(confusing)('%s is refused', (typed) => expect(readEmail(typed)).toBe('confusing'))
  it.each(confusing)('%s gets a key that no account can have', (typed) => {
    expect(foldEmail(typed)).toMatch(/^ /)
  })
  it.each([
    'zoë@example.org',
    'o’hara'.replace('’', "'") + '@example.ie',
    'łukasz@example.pl',
    '用户@例子.广告',
    'すずきタロ@example.jp',
    'иван@example.org',
    'müller.2@example.ch',
    'lê.nguyễn@example.vn',
    'सुनील@example.in',
  ])('%s does not and is accepted', (typed) =>
    expect(readEmail(typed)).toMatchObject({ email: expect.any(String) as string }),
  )
})

describe('a malformed address', () => {
  it.each([
    'a@b',
    'a@b..ch',
    'a@b.ch.',
    'a@1.2.3.44',
    'a@0x7f.0x10',
    'a@b_c.ch',
    'a@-b.ch',
    'a@b-.ch',
    'a@b.ch/x',
    'a@b.ch?x',
    'a@b%2ech.ch',
    `a@${'b'.repeat(64)}.ch`,
    `a@${'ü'.repeat(40)}.${'ü'.repeat(40)}.${'ü'.repeat(40)}.${'ü'.repeat(40)}.${'ü'.repeat(30)}.ch`,
    'a\u200b@b.ch',
    'a@b\u00ad.ch',
  ])('%s is refused', (typed) => expect(readEmail(typed)).toBe('malformed'))
  it('still has a key, so that an older account with it is found', () => {
    expect(foldEmail('Anna@B_c.ch')).toBe('anna@b_c.ch')
    expect(foldEmail("' or 1=1 --")).toBe("' or 1=1 --")
  })
})
