import { expect, it } from 'vitest'
import { slugOf } from './slug.ts'

it.each([
  ['Käserei Lochgenau & Zoë', 'kaeserei-lochgenau-zoe'],
  ['Crêperie de la Gare', 'creperie-de-la-gare'],
  ['  ¡Olé!  ', 'ole'],
  ['寿司', ''],
])('%s is %s in an address', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

it('a shortened slug does not end in a hyphen', () => {
  expect(slugOf('Zum goldenen Löwen', 11)).toBe('zum-goldene')
  expect(slugOf('Zum goldenen Löwen', 13)).toBe('zum-goldenen')
})
