import { expect, it } from 'vitest'
import { passwordStrength } from './password-strength.ts'

it.each([
  ['', 'none', 8],
  ['kurz', 'short', 4],
  ['🎷🎷🎷🎷🎷🎷🎷', 'short', 1],
  ['a'.repeat(129), 'long', 0],
  ['password1', 'weak', 0],
  ['12345678', 'weak', 0],
  ['aaaaaaaaaaaaaaaa', 'weak', 0],
  ['abcdefghijkl', 'weak', 0],
  ['Passwort2025!', 'weak', 0],
  ['lena.huber.99', 'weak', 0],
  ['Rheinufer7', 'weak', 0],
  ['fondue-moitie', 'fair', 0],
  ['vier Boote unter der Wettsteinbrücke', 'strong', 0],
  ['kX9!vQ2#mZ7pL', 'strong', 0],
] as const)('%j is %s', (password, strength, missing) => {
  expect(passwordStrength(password, ['lena.huber@example.ch', 'Lena Huber'])).toEqual({ strength, missing })
})
