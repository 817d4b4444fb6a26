import { expect, it } from 'vitest'
import { isSamePlace, placeIn, sentPlace } from './typed-place.ts'

it('a place is two numbers in range, with a comma or a point', () => {
  expect(placeIn({ latitude: '47,5596', longitude: ' 7.5886 ' })).toEqual({ latitude: 47.5596, longitude: 7.5886 })
  expect(placeIn({ latitude: '999', longitude: '7.5886' })).toBeNull()
  expect(placeIn({ latitude: '47.5596', longitude: '' })).toBeNull()
})

it('a form sends a wrong coordinate as typed, so that the server refuses it and no location is deleted', () => {
  expect(sentPlace({ latitude: '999', longitude: '7,5886' })).toEqual({ latitude: '999', longitude: '7.5886' })
  expect(sentPlace({ latitude: 'north', longitude: '' })).toEqual({ latitude: 'north', longitude: '' })
})

it('two empty fields stay empty, which removes the pin', () => {
  expect(sentPlace({ latitude: ' ', longitude: '' })).toEqual({ latitude: '', longitude: '' })
})

it('the same place, rounded or spelled differently, is the same; another place or mistake is not', () => {
  const typed = { latitude: '47,5', longitude: '7.588612' }
  expect(isSamePlace(typed, { latitude: '47.50000', longitude: '7.58861' })).toBe(true)
  expect(isSamePlace(typed, { latitude: '47.50002', longitude: '7.58861' })).toBe(false)
  expect(isSamePlace({ latitude: '975', longitude: '' }, { latitude: ' 975', longitude: '' })).toBe(true)
  expect(isSamePlace({ latitude: '975', longitude: '' }, { latitude: '', longitude: '' })).toBe(false)
})
