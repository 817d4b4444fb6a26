import { expect, it } from 'vitest'
import { readUid } from './uid.ts'

it.each([
  ['CHE-123.456.788', 'CHE-123.456.788'],
  [' che 123 456 788 ', 'CHE-123.456.788'],
  ['CHE123456788MWST', 'CHE-123.456.788 MWST'],
  ['CHE-123.456.788 TVA', 'CHE-123.456.788 TVA'],
  ['CHE-116.281.710', 'CHE-116.281.710'],
])('%s is a UID', (text, uid) => expect(readUid(text)).toBe(uid))

it.each([
  ['a number with a wrong check digit', 'CHE-123.456.789'],
  ['a number with two digits swapped', 'CHE-132.456.788'],
  ['a number whose check digit would be 10', 'CHE-100.000.010'],
  ['a number with a digit too few', 'CHE-123.456.78'],
  ['a number of another country', 'DE-123.456.788'],
  ['a number with an unknown suffix', 'CHE-123.456.788 VAT'],
  ['an empty text', ''],
])('%s is no UID', (_, text) => expect(readUid(text)).toBeNull())
