import { expect, it } from 'vitest'
import { chosenLocale } from './languages.ts'

it.each([
  ['', 'en'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['FR', 'fr'],
  ['it-CH,fr;q=0.8,de;q=0.6', 'fr'],
  ['fr;q=0.1, de;q=0.9', 'de'],
  ['fr ; q=0.1 , de ; q=0.9', 'de'],
  ['en;q=0, de', 'de'],
  ['de;q=0', 'en'],
  ['gsw-CH', 'de'],
  ['den, fro, *', 'en'],
  ['de;q=abc, fr', 'fr'],
  [',,;;q=,', 'en'],
  ['__proto__', 'en'],
])('"%s" is answered in %s', (header, locale) => expect(chosenLocale({ 'accept-language': header })).toBe(locale))

it('the chosen language counts for more than Accept-Language', () =>
  expect(chosenLocale({ 'accept-language': 'de', cookie: 'theme=river; lang=fr' })).toBe('fr'))
